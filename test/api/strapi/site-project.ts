import { JOBS, LEAVES } from './site-content.js';

/**
 * A site as agencies write them: besides its pages, routes behind policies, signing in with a company's own
 * service, middlewares around everything, and tasks.
 */

const VIDEOS: readonly [string, string][] = [
  [
    'src/api/video-key/controllers/video-key.js',
    `
    module.exports = {
      async generate(ctx) {
        const { video } = ctx.request.body;
        if (!video) return ctx.badRequest('Which video?');
        try {
          if (video === 'broken') throw new Error('no key');
          ctx.send({ key: Buffer.from(video, 'base64').toString('utf8') });
        } catch (error) {
          ctx.internalServerError('The key could not be made');
        }
      },
    };`,
  ],
  [
    'src/api/video-key/routes/video-key.js',
    `
    const route = (path, policies, auth) => ({
      method: 'POST', path, handler: 'video-key.generate', config: { policies, middlewares: [], ...auth },
    });
    module.exports = { routes: [
      route('/video-key', ['admin::isAuthenticatedAdmin'], {}),
      route('/video-key/denied', ['global::denyAccess'], { auth: false }),
      route('/video-key/members', [{ name: 'global::only', config: { header: 'x-member' } }], {
        auth: false }),
    ] };`,
  ],
  ['src/policies/denyAccess.js', `module.exports = (policyContext, config, { strapi }) => false;`],
  [
    'src/policies/only.js',
    `module.exports = (policyContext, { header }) => policyContext.request.get(header) === 'yes';`,
  ],
];

/** Replaces how users of another service become users here. */
const ENTRY = `
import type { Core } from '@strapi/strapi';
import { registerDeepLeaves } from './document-middlewares/leaf';
import { subscribeToUsers } from './life-cycles/user';

const profileOf = async (provider, query) => {
  const providers = await strapi.store({ type: 'plugin', name: 'users-permissions', key: 'grant' }).get();
  return strapi.plugins['users-permissions'].services['providers-registry'].run({
    provider, query, accessToken: query.access_token || query.code, providers,
  });
};

export default {
  register() {
    strapi.plugins['users-permissions'].services['providers-registry'].add('staff', {
      enabled: true,
      authCallback: async ({ accessToken }) => ({ username: accessToken,
        email: accessToken + '@Firm.example' }),
    });
    strapi.plugins['users-permissions'].services['providers'].connect = async (provider, query) => {
      if (!(query.access_token || query.code)) throw new Error('No access_token.');
      const profile = await profileOf(provider, query);
      const email = profile.email.toLowerCase();
      if (!email.endsWith('@firm.example') || email.startsWith('guest')) throw new Error('Only for staff');
      const users = await strapi.query('plugin::users-permissions.user').findMany({ where: { email } });
      const user = users.find((each) => each.provider === provider);
      const advanced = await strapi.store({ type: 'plugin', name: 'users-permissions',
        key: 'advanced' }).get();
      if (!user && !advanced.allow_register) throw new Error('Nobody may sign up');
      if (user) return user;
      const role = await strapi.query('plugin::users-permissions.role').findOne({ where: {
        type: advanced.default_role } });
      return strapi.query('plugin::users-permissions.user').create({
        data: { ...profile, email, provider, role: role.id, confirmed: true },
      });
    };
  },
  async bootstrap({ strapi }: { strapi: Core.Strapi }) {
    const store = strapi.store({ type: 'plugin', name: 'users-permissions' });
    await store.set({ key: 'grant', value: { ...(await store.get({ key: 'grant' })), staff: {
      enabled: true } } });
    await subscribeToUsers({ strapi });
    registerDeepLeaves({ strapi });
  },
};`;

const LISTENERS: readonly [string, string][] = [
  ['src/index.ts', ENTRY],
  [
    'src/document-middlewares/leaf.ts',
    `
    const deep = { parent: { populate: { parent: true } } };
    export const registerDeepLeaves = ({ strapi }) => {
      strapi.documents.use((context, next) => {
        const params: { start?: number; limit?: number; deepen?: string[]; populate?: any } = context.params;
        if (context.uid === 'api::leaf.leaf' && context.action === 'findMany' && params.start === 0 &&
          params.limit === 1
          && Array.isArray(params.deepen))
          for (const name of params.deepen.filter((each) => each in deep)) params.populate[name] = deep[name];
        return next();
      });
    };`,
  ],
  [
    'src/life-cycles/user.ts',
    `
    import crypto from 'node:crypto';
    export const subscribeToUsers = async ({ strapi }) => {
      strapi.db.lifecycles.subscribe({ models: ['admin::user'], async afterCreate() {
        throw new Error('never'); } });
      strapi.db.lifecycles.subscribe({
        models: ['plugin::users-permissions.user'],
        async afterCreate(event) {
          const { email, documentId, confirmed } = event.result ?? {};
          if (confirmed) return strapi.log.info(email + ' is confirmed');
          const resetPasswordToken = crypto.randomBytes(8).toString('hex');
          await strapi.documents('plugin::users-permissions.user').update({ documentId, data: {
            resetPasswordToken } });
          try {
            await strapi.plugins['email'].services.email.send({ to: email, subject: 'Welcome',
              html: '<p>Hello</p>' });
          } catch (error) {
            strapi.log.warn('No letter to ' + email);
          }
        },
      });
    };`,
  ],
];

const MIDDLEWARES: readonly [string, string][] = [
  [
    'config/middlewares.ts',
    `export default ['strapi::errors', 'global::limiter', 'global::audit', 'global::office',
      { name: 'strapi::security', config: { frameguard: { action: 'deny' } } },
      { name: 'global::signature', config: { path: '/api/jobs/paths/run' } },
      { name: 'strapi::cors', config: { origin: ['http://localhost:3000'] } }, 'strapi::poweredBy',
        'strapi::logger',
      'strapi::query', { name: 'strapi::body', config: { jsonLimit: '256kb', includeUnparsed: true } },
      'global::unparsed', 'strapi::session', 'strapi::favicon', 'strapi::public', 'strapi::compression'];`,
  ],
  [
    'src/middlewares/limiter.ts',
    `
    const seen = new Map<string, number>();
    export default (config, { strapi }) => async (ctx, next) => {
      const key = (ctx.request.ip ||
        ctx.request.socket.remoteAddress) + '_' + (ctx.request.get('user-agent') || 'unknown');
      const limit = ctx.request.get('user-agent') === 'greedy' ? 2 : 1000;
      const count = (seen.get(key) ?? 0) + 1;
      if (count > limit) {
        ctx.status = 429;
        ctx.body = { error: 'Too Many Requests', retryAfter: 900 };
        strapi.log.warn('Too many requests for ' + ctx.request.path);
        return;
      }
      seen.set(key, count);
      ctx.set({ 'X-RateLimit-Limit': String(limit), 'X-RateLimit-Remaining': String(limit - count) });
      await next();
    };`,
  ],
  [
    'src/middlewares/audit.ts',
    `
    export default (config, { strapi }) => async (ctx, next) => {
      const info = { method: ctx.request.method, path: ctx.request.path, query: ctx.request.query,
        origin: ctx.request.get('origin'), userId: ctx.state?.user?.id || null };
      if (/<script/i.test(JSON.stringify({ ...info, headers: ctx.request.headers })))
        strapi.log.warn('Audit: suspicious', info);
      try {
        await next();
        if (info.method !== 'GET') strapi.log.warn('Audit: done', { ...info,
          statusCode: ctx.response.status });
      } catch (error) {
        strapi.log.error('Audit: failed', { ...info, error: error.message });
        throw error;
      }
    };`,
  ],
  [
    'src/middlewares/office.ts',
    `
    export default (config, { strapi }) => async (ctx, next) => {
      if (!ctx.request.path.startsWith('/office/')) return next();
      ctx.status = 403;
      ctx.body = { error: 'Forbidden', details: { allowed: ['pages'] } };
    };`,
  ],
  [
    'src/middlewares/signature.ts',
    `
    export default ({ path }) => async (ctx, next) => {
      if (ctx.path === path && ctx.get('x-signed') !== '') {
        const chunks: Buffer[] = [];
        for await (const chunk of ctx.req) chunks.push(chunk);
        ctx.request.body = Buffer.concat(chunks);
        ctx.set('x-bytes', String(ctx.request.body.length));
      }
      await next();
    };`,
  ],
  [
    'src/middlewares/unparsed.ts',
    `
    export default () => async (ctx, next) => {
      const text = ctx.request.body?.[Symbol.for('unparsedBody')];
      if (text !== undefined) ctx.set('x-unparsed', String(text.length));
      await next();
    };`,
  ],
];

const TASKS: readonly [string, string][] = [
  [
    'config/cron-tasks.ts',
    `
    const greet = {
      task: ({ strapi }) => { strapi.log.warn('A beautiful start'); },
      options: { rule: '* * * * * *' },
    };
    const weekly = { task: () => undefined, options: { rule: '0 0 1 * * 1' } };
    export default { greet, weekly };`,
  ],
  [
    'config/server.ts',
    `
    import cronTasks from './cron-tasks';
    export default ({ env }) => ({
      cron: { enabled: env.bool('CRON_ENABLED', true), tasks: cronTasks },
      app: { keys: env.array('APP_KEYS', ['a']) },
    });`,
  ],
  [
    'config/env/test/frontend.ts',
    `export default ({ env }) => ({ url: env('FRONTEND_URL', ''), kind: env('NODE_ENV') });`,
  ],
];

export const SITE_PROJECT: Readonly<Record<string, string>> = Object.fromEntries([
  ...LEAVES,
  ...JOBS,
  ...VIDEOS,
  ...LISTENERS,
  ...MIDDLEWARES,
  ...TASKS,
  ['tsconfig.json', '{}'],
]);
