export { applyDefaults } from "./apply-defaults.js";
export { commentLine, commentLines, type CommentLimits } from "./comment-text.js";
// prettier-ignore
export { compileSchema, type CompiledSchema, type SchemaValidator, type ValidationOutcome, type ValidatorOptions } from "./compile-schema.js";
// prettier-ignore
export { renderTypeDeclaration, type OutermostProperty, type TypeDeclaration, type TypeDeclarationOptions } from "./declaration.js";
export { readOwn } from "./schema-node.js";
export { quote, shorten } from "./text.js";
export { typeHint, type TypeHint, type TypeHintOptions } from "./type-hint.js";
