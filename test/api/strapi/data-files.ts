const schema = (name: string, plural: string, rest: Readonly<Record<string, unknown>>): [string, string] => [
  `src/api/${name}/content-types/${name}/schema.json`,
  JSON.stringify({
    kind: 'collectionType',
    collectionName: plural,
    info: { singularName: name, pluralName: plural, displayName: name },
    options: { draftAndPublish: true },
    ...rest,
  }),
];

const component = (name: string, attributes: object): [string, string] => [
  `src/components/parts/${name}.json`,
  JSON.stringify({ collectionName: `components_parts_${name}s`, info: { displayName: name }, attributes }),
];

/** Content-types for code that reads and writes rows, and code that does. */
export const DATA_FILES: Readonly<Record<string, string>> = Object.fromEntries([
  component('hint', { text: { type: 'string' }, picture: { type: 'media', multiple: false } }),
  component('quote', {
    body: { type: 'text' },
    by: { type: 'relation', relation: 'oneToOne', target: 'api::shelf.shelf' },
    about: { type: 'relation', relation: 'morphToMany' },
  }),
  schema('note', 'notes', {
    attributes: {
      text: { type: 'string', required: true },
      slug: { type: 'string' },
      count: { type: 'biginteger' },
      price: { type: 'decimal' },
      data: { type: 'json' },
      on: { type: 'boolean' },
      owner: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
    },
  }),
  schema('shelf', 'shelves', {
    options: { draftAndPublish: false },
    attributes: {
      name: { type: 'string', unique: true },
      rank: { type: 'integer', min: 0 },
      stories: { type: 'relation', relation: 'oneToMany', target: 'api::story.story', mappedBy: 'shelf' },
    },
  }),
  schema('story', 'stories', {
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: { type: 'string', required: true, pluginOptions: { i18n: { localized: true } } },
      views: { type: 'integer', default: 0 },
      secret: { type: 'string', private: true },
      code: { type: 'password' },
      shelf: { type: 'relation', relation: 'manyToOne', target: 'api::shelf.shelf', inversedBy: 'stories' },
      related: { type: 'relation', relation: 'manyToMany', target: 'api::story.story' },
      cover: { type: 'media', multiple: false },
      hint: { type: 'component', component: 'parts.hint' },
      blocks: { type: 'dynamiczone', components: ['parts.hint', 'parts.quote'] },
    },
  }),
]);

/** Listeners of two types, as a project's own files have them. */
export const LIFECYCLE_FILES: Readonly<Record<string, string>> = {
  'src/api/note/content-types/note/lifecycles.js': `
    const { ApplicationError } = require('@strapi/utils').errors;
    module.exports = {
      beforeCreate(event) {
        const { data } = event.params;
        if (data.text === 'refused')
          throw new ApplicationError('Notes are never refused', { text: data.text });
        if (data.text) data.slug = data.text.toLowerCase().replaceAll(' ', '-');
        event.state.started = data.text;
      },
      async afterCreate(event) {
        const { result, state } = event;
        if (state.started !== result.text) throw new Error('The state is of another event');
        if (result.text === 'shelved')
          await strapi.db.query('api::shelf.shelf').create({ data: { name: 'of ' + result.id } });
        if (result.text === 'fails late') throw new ApplicationError('Too late');
      },
      beforeUpdate({ params }) {
        if (params.data.text) params.data.slug = params.data.text + '!';
      },
    };`,
  'src/api/shelf/content-types/shelf/lifecycles.js': `
    module.exports = {
      beforeFindMany({ params }) {
        const { name } = params.where || {};
        if (name && name.$eq === 'any') params.where = { rank: { $gt: 5 } };
      },
      afterFindMany({ result }) {
        for (const shelf of result) shelf.label = 'Shelf ' + shelf.name;
      },
    };`,
};
