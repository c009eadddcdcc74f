import { createDocumentService } from '../../../../src/documents/create-document-service.js';
import { createDocumentHistory } from '../../../../src/documents/versions/document-history.js';
import { applyPlan } from '../../../../src/transfer/files/apply-plan.js';
import { openBases } from '../../../../src/transfer/files/base-files.js';
import type { ConflictChoice } from '../../../../src/transfer/files/merge-units.js';
import { finishPull, planPull, pullSteps } from '../../../../src/transfer/files/plan-pull.js';
import type { PullOptions } from '../../../../src/transfer/files/plan-pull.js';
import { planPush } from '../../../../src/transfer/files/plan.js';
import type { Plan } from '../../../../src/transfer/files/plan.js';
import { readFolder } from '../../../../src/transfer/files/read-folder.js';
import { createDocumentStore } from '../../../../src/transfer/store/content-store.js';
import type { ContentStore, ContentWrite } from '../../../../src/transfer/store/content-store.js';
import type { MediaStore } from '../../../../src/transfer/store/media-store.js';
import { typeOf } from '../../../../src/model/lookup.js';
import type { ProjectLiteral } from '../../../support/models.js';
import type { TestEnvironment } from '../../../support/test-environment.js';

export const LOCALES: readonly string[] = ['en', 'fr'];
export const POST = 'api::post.post';
export const MAKER = 'api::maker.maker';

const i18n = { pluginOptions: { i18n: { localized: true } } };

/** A type with drafts, locales, texts, blocks, relations, components and a zone. */
export const PROJECT: ProjectLiteral = {
  types: {
    post: {
      draftAndPublish: true,
      localized: true,
      attributes: {
        title: { type: 'string', ...i18n },
        text: { type: 'text', ...i18n },
        body: { type: 'richtext', ...i18n },
        blocks: { type: 'blocks', ...i18n },
        data: { type: 'json', ...i18n },
        price: { type: 'integer' },
        maker: { type: 'relation', relation: 'manyToOne', target: 'api::maker.maker', ...i18n },
        makers: { type: 'relation', relation: 'manyToMany', target: 'api::maker.maker', ...i18n },
        card: { type: 'component', component: 'shared.card', ...i18n },
        cards: { type: 'component', component: 'shared.card', repeatable: true, ...i18n },
        zone: { type: 'dynamiczone', components: ['shared.card', 'shared.note'], ...i18n },
      },
    },
    maker: { attributes: { name: { type: 'string', unique: true } } },
  },
  components: {
    'shared.card': { attributes: { label: { type: 'string' }, text: { type: 'text' } } },
    'shared.note': { attributes: { text: { type: 'text' } } },
  },
};

/** Creates the content store of a database, as commands open it. */
export function createStore({ model, database }: TestEnvironment): ContentStore {
  const locales = { defaultCode: () => 'en', has: (code: string) => LOCALES.includes(code) };
  const documents = createDocumentService({ database, model, locales });
  return createDocumentStore({
    model,
    database,
    documents,
    history: createDocumentHistory({ database, model, documents, locales }),
    locales: async () => LOCALES.map((code) => ({ code, isDefault: code === 'en' })),
    defaultLocale: locales.defaultCode,
  });
}

export async function write(
  store: ContentStore,
  type: string,
  writes: readonly ContentWrite[],
): Promise<void> {
  for (const outcome of await store.write(type, writes, { isAtomic: true }))
    if ('error' in outcome) throw outcome.error;
}

export function pullOptions(store: ContentStore, root: string, choice: ConflictChoice): PullOptions {
  const flags = { isWhole: true, isDryRun: false, overwrites: false };
  return { ...flags, choice, root, types: [typeOf(store.model, POST)], media: null };
}

/** Pulls all posts into a folder. Returns the written paths. */
export async function pullFolder(
  store: ContentStore,
  root: string,
  choice: ConflictChoice = null,
): Promise<readonly string[]> {
  const options = pullOptions(store, root, choice);
  const plan = await planPull(store, options);
  const steps = pullSteps(store, plan, options);
  for (const { run } of steps) await run();
  await finishPull(store, plan);
  return steps.map(({ path }) => path);
}

/** Plans a push of all posts in a folder. */
export async function planFolder(store: ContentStore, root: string, choice: ConflictChoice): Promise<Plan> {
  const types = [typeOf(store.model, POST)];
  const folder = await openBases(store, types, { root, isDryRun: false });
  const files = await readFolder(root, types);
  return planPush(store, types, files, { merging: { folder, choice, deletes: false } });
}

/** Applies a plan without uploaded files. */
export function applyPush(store: ContentStore, root: string, plan: Plan, isAtomic = false): Promise<void> {
  return applyPlan(store, plan, {
    root,
    model: store.model,
    media: {} as unknown as MediaStore,
    deletes: false,
    isAtomic,
    isDryRun: false,
    onDone: () => undefined,
  });
}
