/** A plugin with content-types of its own, laid out as Strapi's generator lays it out. */

const BOOK = {
  kind: 'collectionType',
  collectionName: 'library_books',
  info: { singularName: 'book', pluralName: 'books', displayName: 'Book' },
  options: { draftAndPublish: true },
  pluginOptions: { 'content-manager': { visible: false } },
  attributes: {
    title: { type: 'string', required: true },
    slug: { type: 'string' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    shelf: {
      type: 'relation',
      relation: 'manyToOne',
      target: 'plugin::library.shelf',
      inversedBy: 'books',
    },
    readers: {
      type: 'relation',
      relation: 'oneToMany',
      target: 'api::reader.reader',
      mappedBy: 'book',
    },
    related: { type: 'relation', relation: 'morphToMany' },
  },
};

const SHELF = `{
  kind: 'collectionType',
  info: { singularName: 'shelf', pluralName: 'shelves', displayName: 'Shelf' },
  attributes: {
    name: { type: 'string' },
    secret: { type: 'string', private: true },
    books: {
      type: 'relation',
      relation: 'oneToMany',
      target: 'plugin::library.book',
      mappedBy: 'shelf',
    },
  },
}`;

const READER = {
  kind: 'collectionType',
  collectionName: 'readers',
  info: { singularName: 'reader', pluralName: 'readers', displayName: 'Reader' },
  attributes: {
    name: { type: 'string' },
    book: {
      type: 'relation',
      relation: 'manyToOne',
      target: 'plugin::library.book',
      inversedBy: 'readers',
    },
  },
};

const USERS_EXTENSION_OF_TYPES = {
  attributes: { motto: { type: 'string' } },
};

const SERVER = `
import type { Core } from '@strapi/strapi';
import contentTypes from './content-types';
import { routes } from './routes';
const volume: number = strapi.config.get('plugin::library.volume', 1) as number;
enum Mode { Quiet = 'quiet' }
export default {
  register({ strapi }: { strapi: Core.Strapi }) {
    strapi.admin.services.permission.actionProvider.registerMany([]);
    strapi.service('admin::permission').actionProvider.registerMany([]);
  },
  config: { default: { volume, mode: Mode.Quiet } },
  controllers: {
    book: require('@strapi/strapi').factories.createCoreController('plugin::library.book'),
    desk: ({ strapi }: { strapi: Core.Strapi }) => ({
      async count(ctx: { body: unknown }) {
        ctx.body = { books: await strapi.plugin('library').service('desk').count() };
      },
    }),
  },
  services: {
    book: require('@strapi/strapi').factories.createCoreService('plugin::library.book'),
    desk: ({ strapi }: { strapi: Core.Strapi }) => ({
      count: () => strapi.documents('plugin::library.book').count({}),
    }),
  },
  routes,
  contentTypes,
};
`;

const ROUTES = `
export const routes = {
  'content-api': () => ({
    type: 'content-api',
    routes: [
      { method: 'GET', path: '/books', handler: 'book.find' },
      { method: 'GET', path: '/count', handler: 'desk.count', config: { policies: [] } },
    ],
  }),
  admin: { type: 'admin', routes: [{ method: 'GET', path: '/all', handler: 'desk.count' }] },
};
`;

const folder = 'src/plugins/library';

export const LIBRARY_FILES: Readonly<Record<string, string>> = {
  [`${folder}/package.json`]: JSON.stringify({
    name: 'library',
    strapi: { kind: 'plugin', name: 'library', displayName: 'Library' },
    exports: {
      './strapi-server': {
        source: './server/src/index.ts',
        import: './dist/server/index.mjs',
        require: './dist/server/index.js',
        default: './dist/server/index.js',
      },
    },
  }),
  [`${folder}/server/src/index.ts`]: SERVER,
  [`${folder}/server/src/routes/index.ts`]: ROUTES,
  [`${folder}/server/src/content-types/index.ts`]: `
    import book from './book';
    import shelf from './shelf';
    export default { book, shelf };`,
  [`${folder}/server/src/content-types/book/index.ts`]: `
    import schema from './schema.json';
    export default {
      schema,
      lifecycles: { beforeCreate({ params: { data } }) { data.slug ??= data.title.toLowerCase(); } },
    };`,
  [`${folder}/server/src/content-types/book/schema.json`]: JSON.stringify(BOOK, null, 2),
  [`${folder}/server/src/content-types/shelf/index.ts`]: `export default { schema: ${SHELF} };`,
  'src/api/reader/content-types/reader/schema.json': JSON.stringify(READER),
  'src/extensions/users-permissions/content-types/user/schema.json': JSON.stringify(USERS_EXTENSION_OF_TYPES),
  'src/extensions/library/strapi-server.js': `
    module.exports = (plugin) => {
      const { attributes } = plugin.contentTypes.book.schema;
      attributes.rating = { type: 'integer', max: 5 };
      attributes.title = { ...attributes.title, maxLength: 40 };
      plugin.contentTypes.book.lifecycles.afterCreate = ({ result }) => {
        strapi.config.set('seen.book', result.title);
      };
      return plugin;
    };`,
};

/** What the extension of users-permissions adds to users. */
export const USER_ATTRIBUTES = `
  plugin.contentTypes.user.schema.attributes.nickname = { type: 'string' };
  plugin.contentTypes.user.schema.attributes.lent = {
    type: 'relation', relation: 'oneToMany', target: 'plugin::library.book',
  };
`;
