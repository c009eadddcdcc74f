import type { ErrorEntries } from './error-entry.js';

/** Errors of commands that write schema files. */
export const SCAFFOLD_ERRORS = {
  'scaffold/invalid-attribute': {
    kind: 'usage',
    message: 'The attribute {shorthand} is not valid: {reason}.',
    hint: '{remedy}',
  },
  'scaffold/ambiguous-name': {
    kind: 'usage',
    message: '{name} is ambiguous: {candidates}.',
    hint: 'Write the full uid.',
  },
  'scaffold/invalid-name': {
    kind: 'usage',
    message: '{kind} {name} is not a valid name: {reason}.',
    hint: '{remedy}',
  },
  'scaffold/name-taken': {
    kind: 'conflict',
    message: 'There is already a {kind} {name} in {file}.',
    hint: '{remedy}',
  },
  'scaffold/attribute-taken': {
    kind: 'conflict',
    message: '{schema} already has an attribute {attribute} ({file}:{line}).',
    hint: '{remedy}',
  },
  'scaffold/inverse-in-component': {
    kind: 'usage',
    message: 'The relation {attribute} of the component {component} cannot have an inverse side.',
    hint: 'Leave out inversedBy and mappedBy: relations inside components are one-way.',
  },
  'scaffold/plugin-not-editable': {
    kind: 'usage',
    message: '{name} is a content-type of a plugin, defined in {file}.',
    hint: 'Change it in src/extensions/<plugin>/strapi-server: plugin.contentTypes.<type>.schema.attributes.',
  },
  'scaffold/code-not-editable': {
    kind: 'usage',
    message: '{name} is defined by code, in {file}, which commands do not change.',
    hint: 'Edit the file and run: cms migrate. Commands change schemas that are .json files.',
  },
  'scaffold/builtin-not-editable': { kind: 'usage', message: '{name} is built in and cannot be removed.' },
  'scaffold/component-in-use': {
    kind: 'conflict',
    message: 'The component {component} is used by {locations}.',
    hint: 'Take it out of there first: {commands}',
  },
  'scaffold/invalid-source': {
    kind: 'usage',
    message: '{source} is not a content-type: {reason}.',
    hint: 'It must be a schema.json as in src/api/<name>/content-types/<name>/.',
  },
  'scaffold/invalid-change': {
    kind: 'failure',
    message: 'Nothing was written, because the schema files would not be valid:{problems}',
  },
  'scaffold/folder-not-empty': {
    kind: 'conflict',
    message: 'The folder {folder} is not empty.',
    hint: 'Choose another folder, or empty it.',
  },
  'scaffold/no-strapi-project': {
    kind: 'failure',
    message: '{folder} is not a Strapi project: it has no folder src/api.',
    hint: 'Give the folder that holds its package.json.',
  },
  'scaffold/old-strapi-project': {
    kind: 'failure',
    message: '{folder} is a project of Strapi {version}, whose content has no document ids.',
    hint: 'Upgrade it to Strapi 5 first: npx @strapi/upgrade major',
  },
} as const satisfies ErrorEntries;
