/** Server code as projects write it for Strapi: controllers, services, routes, policies and middlewares. */

const tags = {
  'src/api/tag/controllers/tag.js': `
    const { createCoreController } = require('@strapi/strapi').factories;
    module.exports = createCoreController('api::tag.tag', ({ strapi }) => ({
      async find(ctx) {
        ctx.query = { ...ctx.query, sort: 'name' };
        const { data, meta } = await super.find(ctx);
        return { data, meta: { ...meta, own: true } };
      },
      async popular(ctx) {
        const query = await this.sanitizeQuery(ctx);
        const { results } = await strapi.service('api::tag.tag').find(query);
        return this.transformResponse(await this.sanitizeOutput(results, ctx), { popular: true });
      },
      async bySlug(ctx) { ctx.body = { params: ctx.params }; },
    }));`,
  'src/api/tag/services/tag.js': `
    const { createCoreService } = require('@strapi/strapi').factories;
    module.exports = createCoreService('api::tag.tag', () => ({
      async findOne(documentId, params) {
        const found = await super.findOne(documentId, params);
        return found && { ...found, shout: found.name.toUpperCase() };
      },
      async shoutAll() { return (await this.find({})).results.map(({ name }) => name.toUpperCase()); },
    }));`,
  'cms.config.mjs': "export default { docs: 'always' };",
  'config/server.js': "module.exports = { app: { keys: ['one', 'two'] } };",
  'src/api/tag/routes/01-first.js': `
    module.exports = { routes: [
      { method: 'GET', path: '/tags/popular', handler: 'tag.popular' },
      { method: 'POST', path: '/tags/open', handler: 'tag.create', config: { auth: false } },
      { method: 'GET', path: '/tags/count/:step', config: { auth: false },
        handler: (ctx, next) => {
          ctx.session.count = (ctx.session.count || 0) + Number(ctx.params.step);
          ctx.state.steps = ['first'];
          return next();
        } },
      { method: 'GET', path: '/tags/count/:by', config: { auth: false },
        handler: (ctx) => {
          if (ctx.params.by === '0') ctx.session = null;
          return { count: ctx.session?.count ?? null, steps: ctx.state.steps, by: ctx.params.by };
        } },
      { method: 'GET', path: '/tags/slug/:name(\\\\w+-\\\\d+)', handler: 'api::tag.tag.bySlug',
        config: { auth: false } },
    ] };`,
  'src/api/tag/routes/tag.js': `
    const { createCoreRouter } = require('@strapi/strapi').factories;
    module.exports = createCoreRouter('api::tag.tag');`,
  'src/api/tag/routes/zz-late.js': `
    module.exports = { routes: [
      { method: 'DELETE', path: '/users/:id(me|self)', handler: 'tag.popular', config: { auth: false } },
      { method: 'GET', path: '/upload/files/:id', handler: 'tag.popular', config: { auth: false } },
      { method: 'GET', path: '/tags/late', handler: 'tag.popular', config: { auth: false } },
    ] };`,
};

const categories = {
  'src/api/category/policies/has-key.js': `
    const { PolicyError } = require('@strapi/utils').errors;
    module.exports = (policyContext, config, { strapi }) => {
      const key = policyContext.request.headers['x-key'];
      if (key === 'throw') {
        throw new PolicyError('Wrong key', { policy: 'has-key' });
      }
      if (key === 'nothing') return;
      return policyContext.is('koa') && key === (config.key ?? 'open');
    };`,
  'src/api/category/middlewares/only-first.js': `
    module.exports = (config, { strapi }) => async (ctx, next) => {
      ctx.query.sort = config.sort;
      await next();
      ctx.body.meta.limited = ctx.state.route.handler.split('::')[1] + ' ' + ctx.state.route.path;
      ctx.set('x-limited', 'yes');
    };`,
  'src/api/category/routes/category.js': `
    module.exports = require('@strapi/strapi').factories.createCoreRouter('api::category.category', {
      except: ['delete'],
      config: {
        find: {
          policies: [{ name: 'has-key', config: { key: 'secret' } }],
          middlewares: [{ name: 'api::category.only-first', config: { sort: 'name:desc' } }],
        },
        findOne: { auth: false },
        create: { policies: ['api::category.has-key'] }, update: { policies: ['global::no-one'] },
      },
    });`,
};

const localized = {
  'src/api/article/routes/article.js': `
    const { createCoreRouter } = require('@strapi/strapi').factories;
    module.exports = createCoreRouter('api::article.article', {
      config: { update: { policies: ['global::no-one'] } },
    });`,
  'src/api/homepage/routes/homepage.js': `
    const { createCoreRouter } = require('@strapi/strapi').factories;
    module.exports = createCoreRouter('api::homepage.homepage', { except: ['update'] });`,
};

const authors = {
  'src/api/author/routes/author.js': `
    const { createCoreRouter } = require('@strapi/strapi').factories;
    module.exports = createCoreRouter('api::author.author', { only: ['find'] });`,
};

const TOOLS_CONTROLLER = `
  const { errors } = require('@strapi/utils');
  class RateLimitError extends errors.ApplicationError { name = 'RateLimitError'; }
  const { Readable, Stream } = require('node:stream');
  const { readFileSync } = require('node:fs');
  module.exports = ({ strapi }) => ({
    echo(ctx) {
      return {
        body: ctx.request.body, query: ctx.query, params: ctx.params, method: ctx.method, path: ctx.path,
        header: ctx.get('x-test'), isJson: Boolean(ctx.is('json')),
        user: ctx.state.user ?? null, isAuthenticated: ctx.state.isAuthenticated ?? null,
        strategy: ctx.state.auth ? ctx.state.auth.strategy.name : null,
        sameContext: strapi.requestContext.get() === ctx,
      };
    },
    files(ctx) {
      const list = [].concat(ctx.request.files?.files ?? []);
      return {
        fields: ctx.request.body,
        files: list.map((file) => ({
          name: file.originalFilename, type: file.mimetype, size: file.size,
          text: readFileSync(file.filepath, 'utf8'),
        })),
      };
    },
    respond(ctx) {
      const kind = ctx.params.kind;
      switch (kind) {
        case 'send': return ctx.send({ ok: true }, 202);
        case 'created': return ctx.created({ id: 1 });
        case 'deleted': return ctx.deleted();
        case 'badRequest': return ctx.badRequest('Bad thing', { field: 'a' });
        case 'unauthorized': return ctx.unauthorized();
        case 'forbidden': return ctx.forbidden('No');
        case 'notFound': return ctx.notFound();
        case 'tooManyRequests': return ctx.tooManyRequests('Slow down');
        case 'imATeapot': return ctx.imATeapot();
        case 'internalServerError': return ctx.internalServerError('Broken');
        case 'throw': return ctx.throw(422, 'Cannot', { details: { why: 1 } });
        case 'throw-500': return ctx.throw(500, 'secret');
        case 'error': throw new Error('secret');
        case 'application': throw new errors.ApplicationError('App', { a: 1 });
        case 'validation': throw new errors.ValidationError('Val', { errors: [] });
        case 'not-found-error': throw new errors.NotFoundError('Gone');
        case 'forbidden-error': throw new errors.ForbiddenError('Not said');
        case 'rate-limit': throw new RateLimitError('Slow', { retry: 1 });
        case 'text': ctx.body = 'plain'; return;
        case 'html': ctx.body = '<p>hi</p>'; return;
        case 'typed': ctx.type = 'text/csv'; ctx.body = 'a,b'; return;
        case 'buffer': ctx.body = Buffer.from('bytes'); return;
        case 'stream': ctx.set('Content-Type', 'text/plain');
          ctx.body = Readable.from(['str', 'eam']); return;
        case 'redirect': return ctx.redirect('/elsewhere');
        case 'attachment': ctx.attachment('report.csv'); ctx.body = 'x'; return;
        case 'cookie': ctx.cookies.set('seen', 'yes', { signed: false });
          ctx.body = { had: ctx.cookies.get('had') ?? null }; return;
        case 'status': ctx.status = 204; return;
        case 'nothing': return;
        case 'null': ctx.body = null; return;
        case 'number': return 5;
        case 'list': return [1, 2];
        case 'status-401': ctx.status = 401; return;
        case 'status-202': ctx.status = 202; return;
        case 'status-299': ctx.status = 299; return;
        case 'status-304': ctx.status = 304; return;
        case 'message': ctx.status = 410; ctx.message = 'Moved out'; return;
        case 'null-200': ctx.body = null; ctx.status = 200; return;
        case 'undefined': ctx.body = undefined; return;
        case 'empty-text': ctx.body = ''; return;
        case 'false': ctx.body = false; return;
        case 'throw-200': return ctx.throw(200, 'ignored');
        case 'throw-204': return ctx.throw(204, 'ignored');
        case 'throw-302': return ctx.throw(302);
        case 'throw-known': throw Object.assign(new Error('With a status'), { status: 200 });
        case 'throw-unknown': throw Object.assign(new Error('With a code'), { status: 1 });
        case 'foreign-stream': {
          const stream = new Stream();
          stream.pipe = (target) => { setImmediate(() => target.end('pieces')); return target; };
          ctx.body = stream; return;
        }
      }
    },
    secured(ctx) { return { ok: true }; },
  });`;

const tools = {
  'src/api/tool/controllers/tool.js': TOOLS_CONTROLLER,
  'src/api/tool/routes/tool.js': `
    const step = (name) => async (ctx, next) => {
      ctx.state.steps = [...(ctx.state.steps ?? []), name];
      await next();
      ctx.set('x-steps', ctx.state.steps.join(','));
    };
    const open = { auth: false };
    module.exports = { routes: [
      { method: 'POST', path: '/tools/echo', handler: 'tool.echo', config: open },
      { method: 'PATCH', path: '/tools/echo/:a/:b?', handler: 'tool.echo', config: open },
      { method: 'GET', path: '/tools/rest/:path*', handler: 'tool.echo', config: open },
      { method: 'GET', path: '/tools/any/*', handler: 'tool.echo', config: open },
      { method: 'POST', path: '/tools/files', handler: 'tool.files', config: open },
      { method: 'GET', path: '/tools/respond/:kind', handler: 'tool.respond',
        config: { auth: false, middlewares: [step('route')] } },
      { method: 'GET', path: '/tools/function', handler: (ctx) => ({ from: 'function' }), config: open },
      { method: 'GET', path: '/tools/array', config: open, handler: [
        step('one'), step('two'), (ctx) => { ctx.body = { steps: ctx.state.steps }; }] },
      { method: 'GET', path: '/tools/secured', handler: 'tool.secured' },
      { method: 'GET', path: '/tools/signed-in',
        handler: (ctx) => ({ user: ctx.state.user ? ctx.state.user.username : null }) },
      { method: 'GET', path: '/tools/scoped', handler: 'tool.secured',
        config: { auth: { scope: ['api::tag.tag.find'] } } },
      { method: 'GET', path: '/tools/policy', handler: 'tool.secured',
        config: { auth: false, policies: [(policyContext) => policyContext.request.query.pass === 'yes'] } },
      { method: 'GET', path: '/tools/missing', handler: 'tool.absent', config: open },
    ] };`,
};

/** All files by their paths. */
export const HTTP_PROJECT: Readonly<Record<string, string>> = {
  ...tags,
  ...categories,
  ...authors,
  ...localized,
  ...tools,
  'src/policies/no-one.js': 'module.exports = () => false;',
  'src/middlewares/stamp.js': `
    module.exports = (config, { strapi }) => async (ctx, next) => {
      if (ctx.path === '/stopped') {
        ctx.status = 418;
        ctx.body = { stopped: ctx.request.body ?? null };
        return;
      }
      if (ctx.path.startsWith('/v1/')) ctx.path = ctx.path.replace('/v1/', '/api/');
      ctx.set('x-before', config.mark ?? 'default');
      await next();
      ctx.set('x-after', String(ctx.status));
      if (ctx.get('x-change') === 'yes' && ctx.body && ctx.body.data !== undefined) ctx.body.changed = true;
    };`,
  'src/middlewares/by-file.js': `
    module.exports = (config) => async (ctx, next) => {
      ctx.set('x-file', config.mark);
      await next();
    };`,
  'config/middlewares.js': `
    module.exports = ['strapi::logger', 'strapi::errors', 'strapi::security', 'strapi::cors',
      'strapi::poweredBy',
      'strapi::query', 'strapi::body', 'strapi::session', 'strapi::favicon', 'strapi::public',
      { name: 'global::stamp', config: { mark: 'stamped' } },
      { resolve: './src/middlewares/by-file', config: { mark: 'by file' } }];`,
  'src/index.js': `
    module.exports = {
      register({ strapi }) {
        strapi.server.routes([
          { method: 'GET', path: '/outside', handler: (ctx) => { ctx.body = { outside: true }; },
            config: { auth: false } },
        ]);
        strapi.server.routes({ type: 'content-api', routes: [
          { method: 'GET', path: '/inside', handler: (ctx) => ({ inside: true }), config: { auth: false } },
        ] });
        strapi.server.router.get('/router/:id', (ctx) => { ctx.body = { id: ctx.params.id }; });
        strapi.server.use(async (ctx, next) => { ctx.set('x-used', 'yes'); await next(); });
      },
      bootstrap() {},
    };`,
};
