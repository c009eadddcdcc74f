import type { ErrorEntries } from '../galley-error.js';

/** Errors of a project's configuration, schema files and content. */
export const PROJECT_ERRORS = {
  'project/undefined-condition': {
    kind: 'failure',
    message: '{path} is undefined.',
    hint: 'A condition without a value would match everything. Omit it, or compare with null.',
  },
  'project/missing-document-id': {
    kind: 'failure',
    message: "documents('{type}').{method} requires { documentId } with a string.",
    hint: 'Check that the id is set before the call.',
  },
  'project/unknown-service': {
    kind: 'failure',
    message: 'There is no service {name}.',
    hint: 'Available: {available}. docs/strapi.md describes each service.',
  },
  'project/unknown-property': {
    kind: 'failure',
    message: 'There is no {name}.',
    hint: '{remedy} docs/strapi.md describes the available ones.',
  },
  'project/no-strapi-project': {
    kind: 'failure',
    message: '{folder} is not a project: it has neither src nor package.json.',
    hint: 'Pass the folder of a Strapi project, as in: cms import shop --check',
  },
  'project/unknown-handler': {
    kind: 'failure',
    message: 'There is no handler {name}.',
    hint: 'A handler is a function or `controller.action`; controllers are the files of `controllers/`.',
  },
  'project/unknown-policy': {
    kind: 'failure',
    message: 'There is no policy {name}.',
    hint: 'Policies are the files of src/policies (`global::name`) and of `policies/` of an API.',
  },
  'project/unknown-middleware': {
    kind: 'failure',
    message: 'There is no middleware {name}.',
    hint: 'Middlewares are the files of src/middlewares (`global::name`) and of `middlewares/` of an API.',
  },
  'project/code-failed': {
    kind: 'failure',
    message: '{name} failed at {location}: {reason}',
    hint: 'Set DEBUG=1 for the stack trace.',
  },
  'project/unknown-content-type': {
    kind: 'failure',
    message: 'documents: there is no content-type {uid}.',
    hint: 'Allowed: {allowed}.',
  },
  'config/load-failed': { kind: 'failure', message: '{file} could not be loaded: {reason}' },
  'config/invalid': { kind: 'failure', message: '{file}: {summary}' },
  'config/invalid-variable': {
    kind: 'failure',
    message: 'The environment variable {name} is not {expected}.',
    hint: 'A file in config/ reads it by env; correct it in .env or the environment.',
  },
  'config/unsafe-secrets': {
    kind: 'failure',
    message: '{problems}.',
    hint:
      'Put random values of at least {minimum} characters into .env, for example from: openssl rand ' +
      '-base64 32',
  },
  'project/invalid-schemas': { kind: 'failure', message: 'The schema files have {count}:\n{problems}' },
  'project/module-load-failed': { kind: 'failure', message: '{file} could not be loaded: {reason}' },
  'project/pending-migrations': {
    kind: 'pending',
    message: 'The database is not up to date: {reason}.',
    hint: '{remedy}',
  },
  'project/seed-import-failed': {
    kind: 'failure',
    message: '{file} cannot be imported: {reason}',
    hint: 'Correct it and run the command again, or delete the folder.',
  },
  'project/endless-hooks': {
    kind: 'failure',
    message: 'Hooks write documents whose hooks write documents, more than {limit} levels deep.',
    hint: 'Write only changed values, or exclude the content-types that the hook itself writes.',
  },
  'project/application-error': { kind: 'application', message: '{message}' },
  'project/validation-error': { kind: 'validation', message: '{message}' },
  'project/pagination-error': { kind: 'pagination', message: '{message}' },
  'project/not-found-error': { kind: 'not-found', message: '{message}' },
  'project/forbidden-error': { kind: 'forbidden', message: '{message}' },
  'project/unauthorized-error': { kind: 'unauthorized', message: '{message}' },
  'project/payload-too-large-error': { kind: 'payload-too-large', message: '{message}' },
  'project/policy-error': { kind: 'policy', message: '{message}' },
  'project/rate-limit-error': { kind: 'rate-limited', message: '{message}' },
  'project/not-implemented-error': { kind: 'not-implemented', message: '{message}' },
} as const satisfies ErrorEntries;

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
    hint: 'Omit inversedBy and mappedBy: relations inside components are one-way.',
  },
  'scaffold/plugin-not-editable': {
    kind: 'usage',
    message: '{name} is a content-type of a plugin, defined in {file}.',
    hint: 'Change it in src/extensions/<plugin>/strapi-server: plugin.contentTypes.<type>.schema.attributes.',
  },
  'scaffold/code-not-editable': {
    kind: 'usage',
    message: '{name} is defined by code in {file}, which commands do not change.',
    hint: 'Edit the file and run: cms migrate. Commands change only schemas in .json files.',
  },
  'scaffold/builtin-not-editable': { kind: 'usage', message: '{name} is built in and cannot be removed.' },
  'scaffold/component-in-use': {
    kind: 'conflict',
    message: 'The component {component} is used by {locations}.',
    hint: 'Remove it there first: {commands}',
  },
  'scaffold/unreadable-agent-file': {
    kind: 'failure',
    message: '{path} is not a JSON object, so nothing was changed.',
    hint: 'Correct the file, or add the entry that cms agents install --print shows.',
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
  'scaffold/schemas-locked': {
    kind: 'conflict',
    message: 'Another command is changing the schema files of this project.',
    hint: 'Run the command again when it has ended. If none runs, delete {file}.',
  },
  'scaffold/changed-schemas': {
    kind: 'conflict',
    message: 'The schema files were changed while this command ran, so it wrote nothing.',
    hint: 'Run the command again.',
  },
  'scaffold/folder-not-empty': {
    kind: 'conflict',
    message: 'The folder {folder} is not empty.',
    hint: 'Choose another folder, or empty it.',
  },
  'scaffold/no-strapi-project': {
    kind: 'failure',
    message: '{folder} is not a Strapi project: it has no folder src/api.',
    hint: 'Pass the folder that contains its package.json.',
  },
  'scaffold/old-strapi-project': {
    kind: 'failure',
    message: '{folder} is a project of Strapi {version}, whose content has no document ids.',
    hint: 'Upgrade it to Strapi 5 first: npx @strapi/upgrade major',
  },
} as const satisfies ErrorEntries;

/** Errors of calls to Strapi's API that do not exist in Galley or have invalid arguments. */
export const STRAPI_ERRORS = {
  'strapi/invalid-call': { kind: 'failure', message: '{call}: {reason}.' },
  'strapi/unknown-parameter': {
    kind: 'validation',
    message: '{call} does not take the parameter {name}.',
    hint: '{remedy}',
  },
  'strapi/unavailable-call': {
    kind: 'failure',
    message: '{call} does not exist here.',
    hint: '{remedy}',
  },
  'strapi/unapplied-options': {
    kind: 'failure',
    message: 'The project restricts access with options that Galley cannot apply:\n{options}',
    hint: 'Correct it, or remove it and restrict access in another way. See docs/strapi.md.',
  },
  'strapi/knex-missing': {
    kind: 'failure',
    message: '{call} needs the package knex, which is not installed.',
    hint: 'Install it: npm install knex',
  },
  'strapi/unknown-table': {
    kind: 'failure',
    message: "{call}: there is no table {table}. Tables differ from Strapi's.",
    hint: '{remedy}',
  },
} as const satisfies ErrorEntries;

/** Errors of plugins that a project written for Strapi uses or changes. */
export const STRAPI_PLUGIN_ERRORS = {
  'strapi/unknown-plugin': {
    kind: 'failure',
    message: 'The plugin {name} has no server code at {place}.',
    hint: 'config/plugins names a folder or a package as `resolve`. Correct it, or disable the plugin.',
  },
  'strapi/plugin-not-loaded': {
    kind: 'failure',
    message: 'The plugin {name} ({place}) cannot be loaded. {file}: {reason}',
    hint: '{remedy}',
  },
  'strapi/plugin-failed': {
    kind: 'failure',
    message: 'The plugin {plugin} fails in {name}. {file}{reason}',
    hint: '{remedy}',
  },
  'strapi/provider-failed': {
    kind: 'failure',
    message: 'The {kind} provider {name} cannot be opened. {file}{reason}',
    hint: '{remedy}',
  },
  'strapi/hook-failed': {
    kind: 'failure',
    message: 'A function that {file} registers with strapi.hook failed: {reason}',
    hint: 'Correct it, or disable its plugin in config/plugins: { enabled: false }',
  },
  'strapi/late-content-types': {
    kind: 'failure',
    message: 'The plugin {name} has content-types that were missing when the model was built: {types}.',
    hint: 'Return the same content-types each time the server code of the plugin is evaluated.',
  },
  'strapi/invalid-plugin-config': {
    kind: 'failure',
    message: 'The configuration of the plugin {name} ({place}) is not valid: {reason}',
    hint: 'Correct it in config/plugins.',
  },
  'strapi/invalid-extension': {
    kind: 'failure',
    message: '{file} cannot be used: {reason}',
    hint: 'Correct it: it exports a function that changes the plugin and returns it.',
  },
  'strapi/no-admin-panel': {
    kind: 'failure',
    message: 'There is no service {name} because Galley has no admin panel.',
    hint: 'Users, roles and tokens of the API are managed by commands: cms --help',
  },
} as const satisfies ErrorEntries;
