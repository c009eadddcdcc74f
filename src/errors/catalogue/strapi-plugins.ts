import type { ErrorEntries } from './error-entry.js';

/** Errors of plugins that a project written for Strapi uses or changes. */
export const STRAPI_PLUGIN_ERRORS = {
  'strapi/unknown-plugin': {
    kind: 'failure',
    message: 'The plugin {name} has no server code at {place}.',
    hint: 'config/plugins names a folder or a package as `resolve`. Correct it, or switch the plugin off.',
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
    message: 'What {file} registers with strapi.hook fails: {reason}',
    hint: 'Correct it, or switch its plugin off in config/plugins: { enabled: false }',
  },
  'strapi/late-content-types': {
    kind: 'failure',
    message: 'The plugin {name} has content-types that were not there when the model was built: {types}.',
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
    message: 'There is no service {name}, since Galley has no admin panel.',
    hint: 'Users, roles and tokens of the API are managed by commands: cms --help',
  },
} as const satisfies ErrorEntries;
