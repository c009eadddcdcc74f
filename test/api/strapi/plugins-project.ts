import { LIBRARY_FILES, USER_ATTRIBUTES } from './library-plugin.js';

/**
 * Plugins as projects have them: one that Galley brings along and the project changes, one in a folder, one
 * in a package, and some that do not run.
 */

/** Overrides, adds to and removes from what users-permissions has. */
const USERS_EXTENSION = `
module.exports = (plugin) => {
  ${USER_ATTRIBUTES}
  const { me } = plugin.controllers.user;
  const { create } = plugin.controllers.contentmanageruser;
  plugin.controllers.contentmanageruser.create = async (ctx) => create(ctx);
  plugin.controllers.user.me = async (ctx) => {
    await me(ctx);
    ctx.body = { ...ctx.body, shout: ctx.body.username.toUpperCase() };
    ctx.set('x-seen', Object.keys(ctx.state.user).join(' '));
    ctx.set('x-private', [ctx.state.user.password.slice(0, 2), ctx.state.user.confirmationToken].join(' '));
  };
  plugin.controllers.user.hello = (ctx) => ctx.send({ hello: ctx.state.user?.username ?? 'nobody' });

  const auth = plugin.controllers.auth;
  plugin.controllers.auth = ({ strapi }) => {
    const original = auth({ strapi });
    return {
      ...original,
      async register(ctx) {
        if (ctx.request.body.email.endsWith('@spam.example')) return ctx.badRequest('No spam');
        await original.register(ctx);
        strapi.config.set('seen.registered', ctx.body.user.username);
      },
    };
  };

  const { routes } = plugin.routes['content-api'];
  const config = { auth: false, prefix: '' };
  routes.push({ method: 'GET', path: '/users/hello', handler: 'user.hello', config });
  routes.unshift({
    method: 'POST',
    path: '/tokens',
    handler: async (ctx) => {
      const { id } = ctx.request.body;
      const jwt = strapi.plugins['users-permissions'].services.jwt;
      ctx.body = { jwt: jwt.issue({ id }, { expiresIn: '1h' }) };
    },
    config: { auth: false, prefix: '' },
  });
  const find = routes.find(({ handler }) => handler === 'user.find');
  find.config = { ...find.config, policies: ['global::denyAccess'] };
  plugin.routes['content-api'].routes = routes.filter(({ handler }) => handler !== 'auth.forgotPassword');

  const roles = plugin.services.role;
  plugin.services.role = ({ strapi }) => {
    const original = roles({ strapi });
    return { ...original, types: async () => (await original.find()).map(({ type }) => type) };
  };
  plugin.policies.never = () => false;
  plugin.services.greeter = ({ strapi }) => ({ greet: (name) => 'Hi ' + name, root: strapi.dirs.app.root });
  return plugin;
};
`;

/** Changes parts that the server does not call. */
const UPLOAD_EXTENSION = `
module.exports = (plugin) => {
  plugin.services.upload.describe = () => 'changed';
  plugin.controllers['content-api'] = { upload: (ctx) => ctx.forbidden() };
  plugin.services.quota = () => ({ left: () => 0 });
  return plugin;
};
`;

const LOCAL_PLUGIN = `
module.exports = {
  register({ strapi }) {
    strapi.contentType('api::tag.tag').attributes.loudness = { type: 'integer' };
    strapi.config.set('seen.registered-plugin', strapi.plugin('shouter').config('volume'));
    strapi.hook('strapi::content-types.afterSync').register(({ contentTypes }) => {
      strapi.config.set('seen.synced', 'plugin::library.book' in contentTypes);
    });
  },
  bootstrap({ strapi }) { strapi.config.set('seen.bootstrapped', strapi.isLoaded); },
  destroy() { globalThis.shouterDestroyed = true; },
  config: {
    default: ({ env }) => ({ volume: 1, suffix: env('SHOUTER_SUFFIX', '!') }),
    validator: (config) => { if (config.volume > 11) throw new Error('volume goes to 11'); },
  },
  controllers: {
    shout: ({ strapi }) => ({
      index(ctx) { ctx.body = { text: strapi.plugin('shouter').service('shout').shout(ctx.query.text) }; },
    }),
  },
  services: {
    shout: ({ strapi }) => ({
      shout(text) {
        const { volume, suffix } = strapi.config.get('plugin::shouter');
        return text.toUpperCase() + suffix.repeat(volume);
      },
    }),
  },
  policies: { quiet: (context) => context.request.query.text !== 'silence' },
  middlewares: { mark: () => async (ctx, next) => { ctx.set('x-shouter', 'yes'); await next(); } },
  routes: {
    'content-api': {
      type: 'content-api',
      routes: [
        {
          method: 'GET',
          path: '/',
          handler: 'shout.index',
          config: { auth: false, policies: ['quiet'], middlewares: ['plugin::shouter.mark'] },
        },
      ],
    },
    admin: {
      type: 'admin',
      routes: [
        { method: 'GET', path: '/settings', handler: 'shout.index' },
        { method: 'GET', path: '/open', config: { auth: false },
          handler: (ctx) => { ctx.body = { open: true }; } },
      ],
    },
  },
};
`;

const PACKAGED_PLUGIN = `
module.exports = () => ({ services: { sitemap: () => ({ pages: () => ['/'] }) } });
`;

const CONFIG = `
module.exports = ({ env }) => ({
  shouter: { enabled: true, resolve: './src/plugins/shouter', config: { volume: env.int('VOLUME', 2) } },
  silent: { enabled: false, resolve: './src/plugins/silent' },
  library: { enabled: true, resolve: './src/plugins/library' },
  'mux-video-uploader': { enabled: true, config: { accessTokenId: 'x' } },
});
`;

/** A content-type that a module defines, with a custom field that the project registers. */
const GADGET = `
const label = { type: 'string', required: true };
module.exports = {
  collectionName: 'gadgets',
  info: { singularName: 'gadget', pluralName: 'gadgets', displayName: 'Gadget' },
  options: { draftAndPublish: false },
  attributes: { label, rating: { type: 'customField', customField: 'global::stars' } },
};
`;

/** Replaces how users sign in with other services, and adds to content-types. */
const ENTRY = `
const { toLower } = { toLower: (text) => text.toLowerCase() };
module.exports = {
  register({ strapi }) {
    strapi.customFields.register({ name: 'stars', type: 'integer' });
    for (const { uid, attributes } of Object.values(strapi.contentTypes))
      if (uid.startsWith('api::gadget.')) attributes.owner = { type: 'relation', relation: 'manyToOne',
        target: 'plugin::users-permissions.user' };
    strapi.server.routes([
      { method: 'GET', path: '/by-code', config: { auth: false },
        handler: (ctx) => { ctx.body = 'by code'; } },
    ]);
    const { services } = strapi.plugins['users-permissions'];
    services['providers-registry'].add('acme', {
      authCallback: async ({ accessToken, query }) => ({ username: query.name, email: accessToken }),
    });
    services.providers.connect = async (provider, query) => {
      const providers = await strapi.store({ type: 'plugin', name: 'users-permissions', key: 'grant' }).get();
      const profile = await services['providers-registry'].run({
        provider, query, accessToken: query.access_token, providers,
      });
      const email = toLower(profile.email);
      if (!email.endsWith('@strapi.example')) throw new Error('Forbidden email address');
      const advanced = await strapi
        .store({ type: 'plugin', name: 'users-permissions', key: 'advanced' })
        .get();
      const users = await strapi.query('plugin::users-permissions.user').findMany({ where: { email } });
      const user = users.find((each) => each.provider === provider);
      if (user) return user;
      const role = await strapi
        .query('plugin::users-permissions.role')
        .findOne({ where: { type: advanced.default_role } });
      return strapi
        .query('plugin::users-permissions.user')
        .create({ data: { ...profile, email, provider, role: role.id, confirmed: true } });
    };
  },
  async bootstrap({ strapi }) {
    await strapi.store({ type: 'plugin', name: 'users-permissions' })
      .set({ key: 'grant', value: { acme: { enabled: true } } });
  },
};
`;

const manifest = (name: string, entry?: string): string =>
  JSON.stringify({
    name: `strapi-plugin-${name}`,
    strapi: { kind: 'plugin', name },
    ...(entry === undefined ? {} : { exports: { './strapi-server': { require: entry } } }),
  });

export const PLUGIN_FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'site', dependencies: { 'strapi-plugin-sitemap': '1.0.0' } }),
  'config/plugins.js': CONFIG,
  'src/index.js': ENTRY,
  'src/api/gadget/content-types/gadget/schema.js': GADGET,
  'src/policies/denyAccess.js': 'module.exports = () => false;',
  'src/extensions/users-permissions/strapi-server.js': USERS_EXTENSION,
  'src/extensions/upload/strapi-server.js': UPLOAD_EXTENSION,
  'src/plugins/shouter/package.json': manifest('shouter'),
  'src/plugins/shouter/strapi-server.js': LOCAL_PLUGIN,
  'src/plugins/silent/strapi-server.js': "throw new Error('never loaded');",
  ...LIBRARY_FILES,
  'node_modules/strapi-plugin-sitemap/package.json': manifest('sitemap', './dist/server.js'),
  'node_modules/strapi-plugin-sitemap/dist/server.js': PACKAGED_PLUGIN,
};
