#include "meta/json_schema.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::test {

namespace {
class Validator {
public:
  explicit Validator(const llvm::json::Value &root) : root_(root) {}
  std::vector<std::string> errors;

  void value(const llvm::json::Value &schema, const llvm::json::Value &value,
             const std::string &path) {
    const llvm::json::Object *rules = schema.getAsObject();
    if (!rules)
      return say(path, "its schema is no object");
    if (auto reference = rules->getString("$ref"))
      return follow(*reference, value, path);
    for (const auto &[key, rule] : *rules)
      keyword(key, path);
    if (auto type = rules->getString("type"); type && !isOf(*type, value))
      return say(path, "is no " + type->str());
    if (const llvm::json::Array *choices = rules->getArray("enum");
        choices && !llvm::is_contained(*choices, value))
      say(path, "is none of the enumerated values");
    if (const llvm::json::Object *object = value.getAsObject())
      members(*rules, *object, path);
    const llvm::json::Array *array = value.getAsArray();
    if (auto least = rules->getInteger("minItems");
        least && array && int64_t(array->size()) < *least)
      say(path, "has too few elements");
    if (auto least = rules->getInteger("minimum");
        least && value.getAsInteger().value_or(*least) < *least)
      say(path, "is too small");
    const llvm::json::Value *items = rules->get("items");
    for (size_t i = 0; array && items && i != array->size(); ++i)
      this->value(*items, (*array)[i], path + "[" + std::to_string(i) + "]");
  }

private:
  const llvm::json::Value &root_;

  void say(const std::string &path, const std::string &what) {
    errors.push_back((path.empty() ? "the object" : path) + ": " + what);
  }

  void keyword(llvm::StringRef key, const std::string &path) {
    if (!llvm::is_contained({"$schema", "title", "description", "type", "enum", "properties",
                             "required", "additionalProperties", "items", "minItems", "minimum",
                             "$defs"},
                            key))
      say(path,
          "its schema has the keyword `" + key.str() + "`, which this validator does not know");
  }

  /// `#/$defs/name`, the one form of reference that a schema here has.
  void follow(llvm::StringRef reference, const llvm::json::Value &value, const std::string &path) {
    const llvm::json::Object *schemas = root_.getAsObject();
    const llvm::json::Object *shared = schemas ? schemas->getObject("$defs") : nullptr;
    const llvm::json::Value *schema =
        shared && reference.consume_front("#/$defs/") ? shared->get(reference) : nullptr;
    if (schema)
      this->value(*schema, value, path);
    else
      say(path, "its schema refers to `" + reference.str() + "`, which is not there");
  }

  static bool isOf(llvm::StringRef type, const llvm::json::Value &value) {
    switch (value.kind()) {
    case llvm::json::Value::Null:
      return type == "null";
    case llvm::json::Value::Boolean:
      return type == "boolean";
    case llvm::json::Value::Number:
      return type == "number" ||
             (type == "integer" && (value.getAsInteger() || value.getAsUINT64()));
    case llvm::json::Value::String:
      return type == "string";
    case llvm::json::Value::Array:
      return type == "array";
    case llvm::json::Value::Object:
      return type == "object";
    }
    return false;
  }

  void members(const llvm::json::Object &rules, const llvm::json::Object &object,
               const std::string &path) {
    if (const llvm::json::Array *required = rules.getArray("required"))
      for (const llvm::json::Value &name : *required)
        if (!object.get(name.getAsString().value_or("")))
          say(path, "`" + name.getAsString().value_or("").str() + "` is missing");
    const llvm::json::Object *properties = rules.getObject("properties");
    for (const auto &[key, member] : object) {
      const llvm::json::Value *schema = properties ? properties->get(key) : nullptr;
      if (schema)
        value(*schema, member, path + "." + key.str());
      else if (rules.getBoolean("additionalProperties") == false)
        say(path, "`" + key.str() + "` is not in the schema");
    }
  }
};
} // namespace

std::vector<std::string> schemaErrors(const llvm::json::Value &schema,
                                      const llvm::json::Value &value) {
  Validator validator(schema);
  validator.value(schema, value, "");
  return validator.errors;
}

} // namespace pto::test
