#include "parse/build.h"

using llvm::StringRef;

namespace pto {

ast::Item *Builder::item(PtoParser::ItemContext &context) {
  ast::Item *node = context.import_  ? importItem(*context.import_)
                    : context.const_ ? constItem(*context.const_)
                    : context.window ? windowItem(*context.window)
                    : context.fn     ? fnItem(*context.fn)
                    : context.kernel ? kernelItem(*context.kernel)
                    : context.host   ? hostItem(*context.host)
                    : context.test   ? testItem(*context.test)
                                     : nullptr;
  if (context.stray)
    straySemicolon(*context.stray);
  if (!node)
    return nullptr;
  node->range = range(context);
  node->allows = allows(context.attributes);
  node->doc = docBefore(node->range.begin);
  return node;
}

void Builder::straySemicolon(const Token &token) {
  if (isQuiet())
    return;
  SourceRange at = range(token);
  sink_.report<Rule::BadForm>(at, "this `;` ends nothing")
      .fixes.push_back({sources_.name(at.file).str(), at.begin, at.end, "", "remove `;`"});
}

ast::Item *Builder::importItem(PtoParser::ImportItemContext &context) {
  auto *node = file_.make<ast::ImportItem>(range(context));
  node->isFile = context.filePath != nullptr;
  node->path = node->isFile ? unquoted(context.filePath) : joined(context.path);
  node->alias = text(context.alias);
  if (node->isFile)
    node->nameRange = range(*context.filePath);
  else if (context.path)
    node->nameRange = range(*context.path);
  return node;
}

ast::Item *Builder::constItem(PtoParser::ConstItemContext &context) {
  if (!context.bound)
    return nullptr;
  auto *node = file_.make<ast::ConstItem>(range(context));
  node->name = text(context.bound);
  node->nameRange = range(*context.bound);
  node->type = type(context.of);
  node->value = value(context.initial);
  return node;
}

ast::Item *Builder::windowItem(PtoParser::WindowItemContext &context) {
  if (!context.bound)
    return nullptr;
  auto *node = file_.make<ast::WindowItem>(range(context));
  node->name = text(context.bound);
  node->nameRange = range(*context.bound);
  node->isLocal = context.kind && context.kind->getType() == PtoParser::LOCAL;
  node->type = type(context.of);
  node->isHost = context.host != nullptr;
  node->align = expr(context.alignment);
  node->init = value(context.initial);
  return node;
}

ast::Item *Builder::fnItem(PtoParser::FnItemContext &context) {
  if (!context.bound)
    return nullptr;
  auto *node = file_.make<ast::FnItem>(range(context));
  node->name = text(context.bound);
  node->nameRange = range(*context.bound);
  node->generics = generics(context.generics);
  node->params = params(context.takes);
  node->result = type(context.result);
  node->body = block(context.body);
  return node;
}

ast::Item *Builder::kernelItem(PtoParser::KernelItemContext &context) {
  if (!context.bound)
    return nullptr;
  auto *node = file_.make<ast::KernelItem>(range(context));
  node->name = text(context.bound);
  node->nameRange = range(*context.bound);
  node->params = params(context.takes);
  node->syncAuto = context.sync != nullptr;
  node->body = block(context.body);
  return node;
}

ast::Item *Builder::hostItem(PtoParser::HostItemContext &context) {
  if (!context.bound)
    return nullptr;
  auto *node = file_.make<ast::HostItem>(range(context));
  node->name = text(context.bound);
  node->nameRange = range(*context.bound);
  node->settings = settings(context.given);
  node->body = block(context.body);
  return node;
}

ast::Item *Builder::testItem(PtoParser::TestItemContext &context) {
  if (!context.title)
    return nullptr;
  auto *node = file_.make<ast::TestItem>(range(context));
  node->name = unquoted(context.title);
  node->nameRange = range(*context.title);
  node->settings = settings(context.given);
  node->body = block(context.body);
  return node;
}

llvm::ArrayRef<ast::Part *> Builder::generics(PtoParser::GenericListContext *context) {
  if (!context)
    return {};
  return list<ast::Part>(context->values, [this](PtoParser::GenericContext &generic) {
    auto *node = file_.make<ast::Generic>(range(generic));
    node->name = text(generic.bound);
    node->type = type(generic.of);
    return node;
  });
}

llvm::ArrayRef<ast::Part *> Builder::params(PtoParser::ParamsContext *context) {
  if (!context)
    return {};
  return list<ast::Part>(context->values, [this](PtoParser::ParamContext &param) {
    auto *node = file_.make<ast::Param>(range(param));
    node->name = text(param.bound);
    node->type = type(param.of);
    node->value = value(param.initial);
    return node;
  });
}

llvm::ArrayRef<ast::Part *> Builder::settings(PtoParser::SettingsContext *context) {
  if (!context)
    return {};
  return list<ast::Part>(context->values, [this](PtoParser::SettingContext &setting) {
    auto *node = file_.make<ast::Setting>(range(setting));
    node->name = text(setting.bound);
    node->value = value(setting.given);
    return node;
  });
}

} // namespace pto
