#include "parse/build.h"

namespace pto {

ast::Type *Builder::type(PtoParser::TypeContext *context) {
  if (!context)
    return nullptr;
  auto *node = file_.make<ast::TypeName>(range(*context));
  node->memory = text(context->memory);
  node->name = text(context->session ? context->session : context->element);
  node->argument = text(context->engine);
  node->dims = exprs(context->dims);
  return node;
}

} // namespace pto
