/** Pages whose addresses follow their parents, by a job queue, and listeners that tell a front end. */

const schema = (
  name: string,
  plural: string,
  attributes: object,
  draftAndPublish = false,
): [string, string] => [
  `src/api/${name}/content-types/${name}/schema.json`,
  JSON.stringify({
    kind: 'collectionType',
    collectionName: plural,
    info: { singularName: name, pluralName: plural, displayName: name },
    options: { draftAndPublish },
    attributes,
  }),
];

const core = (name: string, ...parts: readonly string[]): readonly [string, string][] =>
  parts.map((part) => [
    `src/api/${name}/${part === 'Router' ? 'routes' : `${part.toLowerCase()}s`}/${name}.ts`,
    `import { factories } from '@strapi/strapi';
     export default factories.createCore${part}('api::${name}.${name}');`,
  ]);

export const LEAVES: readonly [string, string][] = [
  schema(
    'leaf',
    'leaves',
    {
      title: { type: 'string' },
      slug: { type: 'string' },
      fullPath: { type: 'string' },
      parent: { type: 'relation', relation: 'manyToOne', target: 'api::leaf.leaf', inversedBy: 'children' },
      related: { type: 'relation', relation: 'manyToMany', target: 'api::leaf.leaf' },
      children: { type: 'relation', relation: 'oneToMany', target: 'api::leaf.leaf', mappedBy: 'parent' },
    },
    true,
  ),
  ...core('leaf', 'Service', 'Router'),
  [
    'src/api/leaf/controllers/leaf.ts',
    `
    import { factories } from '@strapi/strapi';
    import { trailOf } from '../../../utils/trail';
    export default factories.createCoreController('api::leaf.leaf', () => ({
      async find(ctx) {
        const { data, meta } = await super.find(ctx);
        const wanted = ctx.request.query?.filters?.fullPath?.['$eq'] ?? null;
        if (wanted && data?.length === 1) meta.trail = await trailOf(data[0]);
        return { data, meta };
      },
    }));`,
  ],
  [
    'src/utils/trail.ts',
    `
    import type { Data } from '@strapi/strapi';
    type Leaf = Data.ContentType<'api::leaf.leaf'>;
    export const trailOf = async (leaf: Leaf) => {
      const depth = leaf.fullPath.split('/').filter(Boolean).length;
      const populate: any = {};
      let inner = populate;
      for (let level = 1; level <= depth; level += 1) {
        inner.parent = level === depth ? true : { populate: {} };
        inner = inner.parent.populate;
      }
      let found = await strapi.documents('api::leaf.leaf').findOne({
        documentId: leaf.documentId, populate, fields: ['title'], status: 'published',
      });
      const trail = [];
      while (found) {
        trail.unshift(found.title);
        found = found.parent;
      }
      return trail;
    };`,
  ],
  [
    'src/api/leaf/content-types/leaf/lifecycles.ts',
    `
    import { tellFrontEnd } from '../../../../utils/front-end';
    import { noticeMoves } from '../../../../utils/moves';
    export default {
      async beforeCreate(event) {
        strapi.log.info('A leaf is created', { title: event.params.data.title, by: event.state?.user?.id });
        await noticeMoves(event);
      },
      async afterCreate({ result }) { await tellFrontEnd('create', result); },
      async afterUpdate({ result }) { await tellFrontEnd('update', result); },
      async afterDelete({ result }) { await tellFrontEnd('delete', result); },
      async afterPublish({ result }) { await tellFrontEnd('publish', result); },
      async afterUnpublish({ result }) { await tellFrontEnd('unpublish', result); },
    };`,
  ],
  [
    'src/utils/front-end.ts',
    `
    export async function tellFrontEnd(event: string, entry: any): Promise<void> {
      const address = strapi.config.get('frontend.url');
      if (!address) return;
      const response = await fetch(address + '/refresh', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer secret' },
        body: JSON.stringify({ event, title: entry.title, isPublished: entry.publishedAt !== null }),
      });
      if (!response.ok) strapi.log.warn('The front end answers ' + response.status);
    }`,
  ],
  [
    'src/utils/moves.ts',
    `
    /** A published version is about to be written: is it another path than before? */
    export async function noticeMoves(event: any): Promise<void> {
      const { data } = event.params;
      if (!data.documentId || !data.publishedAt) return;
      const before = await strapi.db.connection('leaves')
        .leftJoin('leaves_parent_lnk', 'leaves.id', 'leaves_parent_lnk.leaf_id')
        .leftJoin('leaves as parents', 'leaves_parent_lnk.inv_leaf_id', 'parents.id')
        .select(['leaves.*', 'parents.id as parent_id'])
        .where('leaves.document_id', data.documentId)
        .whereNotNull('leaves.published_at')
        .first();
      const moved = before && (before.slug !== data.slug ||
        before.parent_id !== (data.parent?.set?.[0]?.id ?? null));
      if (moved || !data.fullPath)
        await strapi.service('api::job.job').enqueue('PATH', data.documentId, {
          documentId: data.documentId });
    }`,
  ],
];

export const JOBS: readonly [string, string][] = [
  schema('job', 'jobs', {
    kind: { type: 'enumeration', enum: ['PATH', 'MOVE'], required: true },
    related: { type: 'string' },
    payload: { type: 'json' },
    state: { type: 'enumeration', enum: ['pending', 'completed', 'failed'], default: 'pending' },
    error: { type: 'text' },
  }),
  schema('move', 'moves', { source: { type: 'string' }, destination: { type: 'string' } }, true),
  ...core('move', 'Controller', 'Service', 'Router'),
  ...core('job', 'Router'),
  [
    'src/api/job/services/workTypes.ts',
    `
    export const workTypes = {
      async PATH({ documentId }) {
        const leaf = await strapi.documents('api::leaf.leaf').findOne({ documentId, populate: ['parent',
          'children'] });
        if (!leaf) return;
        const path = [leaf.parent?.fullPath, leaf.slug].filter(Boolean).join('/');
        if (path === 'forbidden') throw new Error('This path is taken');
        if (path === leaf.fullPath) return;
        await strapi.documents('api::leaf.leaf').update({ documentId, data: { fullPath: path },
          status: 'published' });
        const { enqueue } = strapi.service('api::job.job');
        if (leaf.fullPath) await enqueue('MOVE', documentId, { from: leaf.fullPath, to: path });
        for (const child of leaf.children ?? []) await enqueue('PATH', child.documentId, {
          documentId: child.documentId });
      },
      async MOVE({ from, to }) {
        await strapi.documents('api::move.move').create({ data: { source: from, destination: to },
          status: 'published' });
      },
    };`,
  ],
  [
    'src/api/job/services/job.ts',
    `
    import { factories } from '@strapi/strapi';
    import { workTypes } from './workTypes';
    const UID = 'api::job.job';
    export default factories.createCoreService(UID, ({ strapi }) => ({
      async enqueue(kind, related, payload) {
        if (!payload) throw new Error('Nothing to do');
        const same = await strapi.documents(UID).findFirst({ filters: { kind, related, state: 'pending' } });
        return same ?? strapi.documents(UID).create({ data: { kind, related,
          payload: JSON.stringify(payload), state: 'pending' } });
      },
      async next(kind) {
        return strapi.documents(UID).findFirst({ filters: { kind, state: 'pending' }, orderBy: {
          createdAt: 'asc' } });
      },
      async finish(documentId, state, error = null) {
        return strapi.documents(UID).update({ documentId, data: { state, error } });
      },
      async runAll(kind) {
        const done = [];
        const failed = [];
        for (let job = await this.next(kind); job != null; job = await this.next(kind)) {
          try {
            await workTypes[kind](job.payload);
            await this.finish(job.documentId, 'completed');
            done.push(job.related);
          } catch (error) {
            await this.finish(job.documentId, 'failed', error.message);
            failed.push(job.related);
          }
        }
        return { done, failed };
      },
    }));`,
  ],
  [
    'src/api/job/controllers/job.ts',
    `
    import { factories } from '@strapi/strapi';
    export default factories.createCoreController('api::job.job', ({ strapi }) => ({
      runPaths: async (ctx) => strapi.service('api::job.job').runAll('PATH'),
      runMoves: async (ctx) => strapi.service('api::job.job').runAll('MOVE'),
    }));`,
  ],
  [
    'src/api/job/routes/custom-routes.ts',
    `
    export default {
      routes: [
        { method: 'POST', path: '/jobs/paths/run', handler: 'job.runPaths', config: { auth: false } },
        { method: 'POST', path: '/jobs/moves/run', handler: 'job.runMoves' },
      ],
    };`,
  ],
];
