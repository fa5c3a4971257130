#include "parse/build.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace pto {

/// `gm T`, `remote T` and `group T` reach the grammar as two plain names.
ast::Type *Builder::type(PtoParser::TypeContext *context) {
  if (!context)
    return nullptr;
  auto *node = file_.make<ast::TypeName>(range(*context));
  if (context->session) {
    node->name = text(context->session);
    node->argument = text(context->engine);
  } else if (context->memory || context->element) {
    const Token *memory = context->memory ? context->memory : context->first;
    node->memory = text(memory);
    node->name = text(context->element);
    bool isKnown = llvm::is_contained({"gm", "remote", "window", "tile", "group"}, node->memory);
    if (!isKnown)
      badForm(range(*memory), llvm::formatv("`{0}` is no kind of memory; before an element type "
                                            "stands gm, remote, window, tile or group",
                                            node->memory)
                                  .str());
  } else {
    node->name = text(context->first);
  }
  node->dims = exprs(context->dims);
  return node;
}

} // namespace pto
