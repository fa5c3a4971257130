// Which tokens share a line. A statement that fits is one line, with its blocks where the author
// wrote them in one line too; else each block is opened up, and what is still too long is broken
// where that costs least (spacing.cpp).
#include "format/line.h"

#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace pto {

namespace {
class LineMaker {
public:
  explicit LineMaker(const Pieces &pieces) : pieces_(pieces) {}

  Lines run() {
    sequence(0, pieces_.size(), 0);
    return std::move(lines_);
  }

private:
  /// What stands in a block or in the file: statements or items, and comments.
  void sequence(size_t at, size_t end, unsigned indent) {
    bool isFirst = true;
    while (at < end) {
      const Piece &piece = pieces_[at];
      if (piece.isComment() && !piece.startsLine && !lines_.empty()) {
        trail(at++);
      } else if (continuesComment(at)) {
        continueComment(at++, indent);
      } else {
        begin(indent, piece.followsGap && !isFirst);
        if (piece.isComment() && standsAlone(at, end))
          put(at++);
        else
          at = statement(at, end, indent);
        isFirst = false;
      }
    }
  }

  //===--- Comments -------------------------------------------------------------------------===//

  [[nodiscard]] bool standsAlone(size_t at, size_t end) const {
    const Piece &piece = pieces_[at];
    return piece.isLineComment() || piece.isMultiLine() || at + 1 == end ||
           pieces_[at + 1].startsLine || pieces_[at + 1].isComment();
  }

  /// Behind what is on the last line already.
  void trail(size_t at) {
    if (pieces_[at].isLineComment())
      lines_.back().comment = pieces_[at].text;
    else
      put(at);
  }

  /// A comment behind code that goes on below itself, in the same column.
  [[nodiscard]] bool continuesComment(size_t at) const {
    if (at == 0 || lines_.empty() || lines_.back().comment.empty())
      return false;
    const Piece &above = pieces_[at - 1], &piece = pieces_[at];
    return piece.isLineComment() && above.isLineComment() && piece.startsLine &&
           !piece.followsGap && piece.column == above.column;
  }
  void continueComment(size_t at, unsigned indent) {
    begin(indent, false);
    lines_.back().comment = pieces_[at].text;
    lines_.back().continues = true;
  }

  //===--- Statements -----------------------------------------------------------------------===//

  /// Where the statement that begins at `at` ends: behind its `;` or its last block.
  [[nodiscard]] size_t endOf(size_t at, size_t end) const {
    bool isAttribute = false;
    for (; at < end; ++at) {
      const Piece &piece = pieces_[at];
      if (piece.isComment())
        continue;
      isAttribute |= piece.is("#");
      bool isBlock = piece.role == Role::BlockOpen;
      at = std::max<size_t>(at, piece.partner);
      if (piece.is(";") || (isAttribute && piece.is("[")) || (isBlock && !goesOn(at + 1, end)))
        return std::min(at + 1, end);
    }
    return end;
  }
  /// Whether a block is followed by the rest of its statement.
  [[nodiscard]] bool goesOn(size_t at, size_t end) const {
    while (at < end && pieces_[at].isComment())
      ++at;
    return at < end && (pieces_[at].is("else") || pieces_[at].is(";"));
  }

  /// Puts a statement on the last line, which is empty, and on more; says where the next begins.
  size_t statement(size_t at, size_t end, unsigned indent) {
    size_t after = endOf(at, end);
    if (fits(at, after) && isOneLine(at, after)) {
      declare(at, after);
      putAll(at, after);
      return after;
    }
    while (at < after) {
      size_t open = at;
      while (open < after && (pieces_[open].role != Role::BlockOpen || isEmpty(open)))
        ++open;
      size_t segmentEnd = std::min(open + 1, after);
      segment(at, segmentEnd, indent);
      at = segmentEnd;
      if (open < after) {
        at = pieces_[open].partner;
        sequence(open + 1, at, indent + kIndent);
        begin(indent, false);
      }
    }
    return after;
  }

  /// Whether nothing in it asks for a line of its own.
  [[nodiscard]] bool isOneLine(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i) {
      const Piece &piece = pieces_[i];
      bool isAlone = piece.isLineComment() || piece.isMultiLine() || isBreak(begin, i);
      bool isAttribute = piece.is("#") && i > begin;
      if (isAlone || isAttribute || (piece.role == Role::BlockOpen && isOpenedUp(i)))
        return false;
    }
    return true;
  }
  [[nodiscard]] bool isEmpty(size_t open) const { return pieces_[open].partner == open + 1; }
  /// Whether the author wrote the block on several lines.
  [[nodiscard]] bool isOpenedUp(size_t open) const {
    if (isEmpty(open))
      return false;
    for (size_t i = open + 1; i <= pieces_[open].partner; ++i)
      if (pieces_[i].startsLine)
        return true;
    return false;
  }
  /// Whether a comment asks for a line break before this piece.
  [[nodiscard]] bool isBreak(size_t begin, size_t at) const {
    if (at == begin)
      return false;
    const Piece &before = pieces_[at - 1], &piece = pieces_[at];
    return before.isLineComment() || before.isMultiLine() ||
           (piece.isComment() && piece.startsLine);
  }

  [[nodiscard]] bool fits(size_t at, size_t end) const {
    unsigned width = lines_.back().indent;
    for (size_t i = at; i < end && width <= kMaxColumns; ++i)
      width += widthOf(pieces_[i].text) + (i > at && pieces_[i].wantsSpace);
    return width <= kMaxColumns;
  }

  void declare(size_t at, size_t end) {
    Declares what = llvm::StringSwitch<Declares>(pieces_[at].text)
                        .Cases("window", "local", Declares::Memory)
                        .Case("const", Declares::Constant)
                        .Case("tile", Declares::Tile)
                        .Default(Declares::Nothing);
    if (what == Declares::Nothing || end - at < 3 || !pieces_[at + 2].is(":"))
      return;
    Line &line = lines_.back();
    line.declares = what;
    line.keywordEnd = uint32_t(pieces_[at].text.size());
    line.colonEnd = uint32_t(line.keywordEnd + 1 + pieces_[at + 1].text.size() + 1);
  }

  //===--- Lines ----------------------------------------------------------------------------===//

  /// A part of a statement up to a block, broken where a comment or the width asks for it.
  void segment(size_t begin, size_t end, unsigned indent) {
    bool hasBlock = pieces_[end - 1].role == Role::BlockOpen;
    unsigned deeper =
        indent + (hasBlock ? 2 : 1) * kIndent; // So that it is not taken for the body.
    bool isBehindBlock = pieces_[begin].role == Role::BlockClose;
    for (size_t at = begin; at < end;) {
      size_t stop = at + 1;
      while (stop < end && !isBreak(begin, stop))
        ++stop;
      fill(at, stop, deeper);
      if (stop < end) {
        // Comments between `}` and `else`, and the `else`, stand where the statement does.
        isBehindBlock &=
            at == begin ? pieces_[at + 1].isComment() || stop == at + 1 : pieces_[at].isComment();
        this->begin(isBehindBlock ? indent : deeper, false);
      }
      at = stop;
    }
  }

  /// Puts the pieces on the last line and as many more as they need.
  void fill(size_t at, size_t end, unsigned deeper) {
    for (;;) {
      size_t stop = breakOf(at, end, deeper);
      putAll(at, stop);
      if (stop == end)
        return;
      begin(deeper, false);
      at = stop;
    }
  }

  /// Where the last line must break if it begins with `at`: where it costs least, of equals at the
  /// last one, and only where the next line, which is `deeper`, gains columns by it.
  [[nodiscard]] size_t breakOf(size_t at, size_t end, unsigned deeper) const {
    unsigned width = lines_.back().indent;
    size_t best = end;
    for (size_t i = at; i < end; ++i) {
      const Piece &piece = pieces_[i];
      if (piece.isLineComment())
        break; // It may be as long as it is.
      unsigned cost = width >= deeper + kIndent ? piece.breakCost : 0;
      width += widthOf(piece.text.split('\n').first) + (i > at && piece.wantsSpace);
      if (cost != 0 && (best == end || cost <= pieces_[best].breakCost))
        best = i;
      if (width > kMaxColumns && best != end)
        return best;
    }
    return end;
  }

  void begin(unsigned indent, bool followsGap) {
    Line line;
    line.indent = indent;
    line.followsGap = followsGap && !lines_.empty();
    lines_.push_back(std::move(line));
  }
  void putAll(size_t at, size_t end) {
    for (; at < end; ++at)
      if (pieces_[at].isLineComment() && !lines_.back().code.empty())
        trail(at);
      else
        put(at);
  }
  void put(size_t at) {
    const Piece &piece = pieces_[at];
    Line &line = lines_.back();
    if (!line.code.empty() && piece.wantsSpace)
      line.code += ' ';
    if (piece.isMultiLine()) {
      line.code += shifted(piece, line.width());
      line.declares = Declares::Nothing; // Its lines stand to each other as they do now.
    } else {
      line.code += piece.text;
    }
  }

  /// A comment of several lines moves as a whole.
  static std::string shifted(const Piece &piece, unsigned column) {
    std::string text;
    for (StringRef rest = piece.text; !rest.empty();) {
      auto [line, others] = rest.split('\n');
      bool isFirst = rest.size() == piece.text.size();
      if (!isFirst && column > piece.column && !line.trim().empty())
        text.append(column - piece.column, ' ');
      for (unsigned i = column; !isFirst && i < piece.column && line.starts_with(" "); ++i)
        line = line.drop_front();
      text += line.rtrim();
      rest = others;
      if (!rest.empty())
        text += '\n';
    }
    return text;
  }

  const Pieces &pieces_;
  Lines lines_;
};
} // namespace

Lines makeLines(const Pieces &pieces) { return LineMaker(pieces).run(); }

} // namespace pto
