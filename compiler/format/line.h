//===- line.h - a line of the result, before columns are aligned *- C++ -*-===//
#ifndef PTO_FORMAT_LINE_H
#define PTO_FORMAT_LINE_H

#include "format/piece.h"

#include <string>

namespace pto {

/// Declarations whose types stand in one column.
enum class Declares : uint8_t { Nothing, Memory, Constant, Tile };

struct Line {
  unsigned indent = 0;
  std::string code;        ///< Without its indent; empty where only a comment stands.
  llvm::StringRef comment; ///< A line comment behind the code.
  bool followsGap = false; ///< Whether an empty line is before it.
  bool continues = false;  ///< Belongs with its comment to the comment of the line before.
  Declares declares = Declares::Nothing;
  uint32_t keywordEnd = 0; ///< Of a declaration, in `code`.
  uint32_t colonEnd = 0;

  /// Columns from the margin to the end of the code; a comment in it may have line ends.
  [[nodiscard]] unsigned width() const {
    size_t lineEnd = code.rfind('\n');
    return lineEnd == std::string::npos ? indent + widthOf(code)
                                        : widthOf(llvm::StringRef(code).drop_front(lineEnd + 1));
  }
};
using Lines = std::vector<Line>;

/// Breaks the text into lines, which are as wide as they may be.
[[nodiscard]] Lines makeLines(const Pieces &pieces);

/// Aligns the types of declarations, then the comments behind code.
void align(Lines &lines);

} // namespace pto

#endif
