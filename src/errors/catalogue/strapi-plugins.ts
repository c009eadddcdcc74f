import type { ErrorEntries } from './error-entry.js';

/** Errors of plugins that a project written for Strapi uses or changes. */
export const STRAPI_PLUGIN_ERRORS = {
  'strapi/unknown-plugin': {
    kind: 'failure',
    message: 'The plugin {name} has no server code at {place}.',
    hint: 'config/plugins names a folder or a package as `resolve`. Correct it, or switch the plugin off.',
  },
  'strapi/invalid-plugin-config': {
    kind: 'failure',
    message: 'The configuration of the plugin {name} ({place}) is not valid: {reason}',
    hint: 'Correct it in config/plugins.',
  },
  'strapi/invalid-extension': {
    kind: 'failure',
    message: 'src/extensions/{name}/strapi-server cannot be used: {reason}.',
    hint: 'It exports a function that changes the plugin and returns it.',
  },
  'strapi/no-admin-panel': {
    kind: 'failure',
    message: 'There is no service {name}, since Galley has no admin panel.',
    hint: 'Users, roles and tokens of the API are managed by commands: cms --help',
  },
} as const satisfies ErrorEntries;
