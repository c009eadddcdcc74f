import { ACCOUNT_OPTIONS } from '../../account-settings.js';
import { flag } from '../../checks.js';
import { EMAIL_OPTIONS } from '../../email-settings.js';
import type { PluginOptions } from '../../plugin-options.js';
import { PLUGIN_OPTIONS } from '../../plugin-options.js';
import { applied, differently, fixed, harmless, refused, restricting } from './option.js';
import type { StrapiOption, StrapiOptions } from './option.js';

/** The options that Galley has itself, under the names that Strapi has for them, and some of its own. */
const ownOptions = (options: PluginOptions): StrapiOptions =>
  Object.fromEntries(
    Object.entries(options).map(([path, { description }]): [string, StrapiOption] => [
      path,
      applied(description),
    ]),
  );

const LIMITS_OF_ACCOUNTS: StrapiOptions = Object.fromEntries(
  ['register.allowedFields', 'ratelimit.enabled', 'ratelimit.max', 'ratelimit.interval'].map((path) => [
    path,
    restricting(applied(path.startsWith('ratelimit') ? "In Strapi's units." : '')),
  ]),
);

const USERS_PERMISSIONS: StrapiOptions = {
  ...ownOptions(ACCOUNT_OPTIONS),
  ...LIMITS_OF_ACCOUNTS,
  'validationRules.validatePassword': restricting(applied()),
  'callback.validate': restricting(applied('Decides which pages a sign-in with another service may end at.')),
  'sessions.maxSessionLifespan': harmless(
    'Users have refresh tokens, which other options limit, in Strapi, too.',
  ),
  'sessions.idleSessionLifespan': harmless(
    'Users have refresh tokens, which other options limit, in Strapi, too.',
  ),
  'jwt.*': refused('JWTs are signed by HS256; of their options, `expiresIn` holds.'),
  'ratelimit.*': refused('Attempts are counted by operation, address and name.'),
  layout: harmless('It is for the admin panel.'),
};

const UPLOAD: StrapiOptions = {
  provider: applied('`local`, `aws-s3`, or a package or path with the interface of providers.'),
  providerOptions: applied('Those of `aws-s3` have a table of their own; packages get all.'),
  actionOptions: applied('For providers that are packages.'),
  sizeLimit: restricting(applied('In bytes.')),
  breakpoints: applied(),
  'security.allowedTypes': restricting(applied()),
  'security.deniedTypes': restricting(applied()),
  sharp: harmless('The size of the cache and the number of threads are those of Galley.'),
  concurrentUploadSize: harmless('Images are resized one after the other.'),
  concurrentUploadRequests: harmless('It is for the admin panel.'),
};

/** Of the provider aws-s3, in `s3Options` or, as in older projects, beside it. */
export const S3_OPTIONS: StrapiOptions = {
  baseUrl: applied(),
  rootPath: applied('The path before the names of objects.'),
  'params.Bucket': applied(),
  'params.ACL': restricting(
    differently('Sent where it is stated. `private` runs the package, which has to be installed.'),
  ),
  'params.signedUrlExpires': harmless('Only private buckets have signed addresses.'),
  region: applied(),
  endpoint: applied(),
  forcePathStyle: applied(),
  'credentials.accessKeyId': applied(),
  'credentials.secretAccessKey': applied(),
  accessKeyId: applied('As in older projects.'),
  secretAccessKey: applied('As in older projects.'),
  'credentials.sessionToken': refused('Leave the credentials out: those of the machine are used.'),
  providerConfig: refused('Checksums, storage classes, encryption, tags and parts are those of the bucket.'),
  '*': refused('Of the options of the S3 client, these hold.'),
};

const EMAIL: StrapiOptions = {
  ...ownOptions(EMAIL_OPTIONS),
  provider: applied('`nodemailer`, or a package with the interface of providers.'),
  providerOptions: applied('Passed to the provider.'),
  'settings.testAddress': harmless('It is for the admin panel.'),
};

const GRAPHQL: StrapiOptions = {
  ...ownOptions(PLUGIN_OPTIONS['graphql'] ?? {}),
  depthLimit: restricting(applied()),
  amountLimit: restricting(applied()),
  maxLimit: restricting(applied()),
  landingPage: { ...differently('True or false: whether there is a playground.'), check: flag },
  'apolloServer.introspection': restricting(applied()),
  'apolloServer.tracing': applied(),
  'apolloServer.*': refused('There is no Apollo Server.'),
  v4CompatibilityMode: fixed(
    false,
    'GraphQL has the fields of documents themselves. For REST, `Strapi-Response-Format: v4` applies.',
  ),
  generateArtifacts: refused('`cms graphql schema` prints the schema.'),
  'artifacts.schema': refused('`cms graphql schema` prints the schema.'),
  'artifacts.typegen': refused('`cms graphql schema` prints the schema.'),
};

/** The options of the plugins whose work Galley does itself, by their paths below `config`. */
export const STRAPI_PLUGIN_OPTIONS: Readonly<Record<string, StrapiOptions>> = {
  'users-permissions': USERS_PERMISSIONS,
  upload: UPLOAD,
  email: EMAIL,
  graphql: GRAPHQL,
  i18n: { defaultLocale: harmless('A database has its default locale; `cms locale` changes it.') },
};
