import { ACCOUNT_OPTIONS } from '../../account-settings.js';
import { flag } from '../../checks.js';
import { EMAIL_OPTIONS } from '../../email-settings.js';
import type { PluginOptions } from '../../plugin-options.js';
import { PLUGIN_OPTIONS } from '../../plugin-options.js';
import { applied, differently, fixed, harmless, refused, restricting } from './option.js';
import type { StrapiOption, StrapiOptions } from './option.js';

/** Returns Galley's options: those with the names of Strapi, and additional ones. */
const galleyOptions = (options: PluginOptions): StrapiOptions =>
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
  ...galleyOptions(ACCOUNT_OPTIONS),
  ...LIMITS_OF_ACCOUNTS,
  'validationRules.validatePassword': restricting(applied()),
  'callback.validate': restricting(
    applied('Selects the pages to which a sign-in with another service may redirect.'),
  ),
  'sessions.maxSessionLifespan': harmless(
    'Users have refresh tokens, which other options limit, as in Strapi.',
  ),
  'sessions.idleSessionLifespan': harmless(
    'Users have refresh tokens, which other options limit, as in Strapi.',
  ),
  'jwt.*': refused('JWTs are signed by HS256; only the option `expiresIn` applies.'),
  'ratelimit.*': refused('Attempts are counted by operation, address and name.'),
  layout: harmless('It is for the admin panel.'),
};

const UPLOAD: StrapiOptions = {
  provider: applied('`local`, `aws-s3`, or a package or path with the interface of providers.'),
  providerOptions: applied('Those of `aws-s3` are listed separately; packages receive all options.'),
  actionOptions: applied('For providers that are packages.'),
  sizeLimit: restricting(applied('In bytes.')),
  breakpoints: applied(),
  'security.allowedTypes': restricting(applied()),
  'security.deniedTypes': restricting(applied()),
  sharp: harmless('Galley sets the size of the cache and the number of threads.'),
  concurrentUploadSize: harmless('Images are resized one after the other.'),
  concurrentUploadRequests: harmless('It is for the admin panel.'),
};

/** Options of the provider aws-s3, in `s3Options` or, in older projects, next to it. */
export const S3_OPTIONS: StrapiOptions = {
  baseUrl: applied(),
  rootPath: applied('The path before the names of objects.'),
  'params.Bucket': applied(),
  'params.ACL': restricting(
    differently('Sent if it is set. `private` requires the package of the provider.'),
  ),
  'params.signedUrlExpires': harmless('Only private buckets have signed URLs.'),
  region: applied(),
  endpoint: applied(),
  forcePathStyle: applied(),
  'credentials.accessKeyId': applied(),
  'credentials.secretAccessKey': applied(),
  accessKeyId: applied('As in older projects.'),
  secretAccessKey: applied('As in older projects.'),
  'credentials.sessionToken': refused('Omit the credentials to use those of the machine.'),
  providerConfig: refused('The bucket sets checksums, storage classes, encryption, tags and parts.'),
  '*': refused('Only the listed options of the S3 client apply.'),
};

const EMAIL: StrapiOptions = {
  ...galleyOptions(EMAIL_OPTIONS),
  provider: applied('`nodemailer`, or a package with the interface of providers.'),
  providerOptions: applied('Passed to the provider.'),
  'settings.testAddress': harmless('It is for the admin panel.'),
};

const GRAPHQL: StrapiOptions = {
  ...galleyOptions(PLUGIN_OPTIONS['graphql'] ?? {}),
  depthLimit: restricting(applied()),
  amountLimit: restricting(applied()),
  maxLimit: restricting(applied()),
  landingPage: { ...differently('True or false: enables the playground.'), check: flag },
  'apolloServer.introspection': restricting(applied()),
  'apolloServer.tracing': applied(),
  'apolloServer.*': refused('There is no Apollo Server.'),
  v4CompatibilityMode: fixed(
    false,
    'GraphQL returns the fields of documents directly. REST supports `Strapi-Response-Format: v4`.',
  ),
  generateArtifacts: refused('`cms graphql schema` prints the schema.'),
  'artifacts.schema': refused('`cms graphql schema` prints the schema.'),
  'artifacts.typegen': refused('`cms graphql schema` prints the schema.'),
};

/** The options of the plugins that Galley implements, by their paths below `config`. */
export const STRAPI_PLUGIN_OPTIONS: Readonly<Record<string, StrapiOptions>> = {
  'users-permissions': USERS_PERMISSIONS,
  upload: UPLOAD,
  email: EMAIL,
  graphql: GRAPHQL,
  i18n: { defaultLocale: harmless('The database stores the default locale; change it with `cms locale`.') },
};
