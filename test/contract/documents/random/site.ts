import assert from 'node:assert/strict';
import type { World } from '../../../support/world.js';
import { hasDrafts, inverseAttribute, isLocalized, isMany, KINDS, ownAttribute } from '../reference-links.js';
import type { Kind, ReferenceOperation, Relation, Side, Status } from '../reference-links.js';
import { Comparison, idsIn, sidesOf, toData, toParams } from '../relation-comparison.js';
import { createApi, faultsOf, steppingClock } from '../service.js';
import type { Answer, Api } from '../service.js';
import { ContentReference } from './content-reference.js';
import { membersOf, MORPH_TARGETS, TWO_WAY } from './project.js';
import type { Target } from './project.js';
import { componentIds, populateAll, readMembers } from './read-back.js';
import { createTableRules, readRevisions } from './table-rules.js';
import { changesInput } from './values.js';
import type { Changes, Ref } from './values.js';

export const LOCALES = ['en', 'fr'] as const;
const STATUSES = ['draft', 'published'] as const;
const FILE = { name: 'a.png', hash: 'h', mime: 'image/png', size: 1, url: '/uploads/a.png', provider: 'local' };

export interface RelationChange {
  readonly relation: Relation;
  readonly side: Side;
  readonly operation: ReferenceOperation;
}

export interface SiteWrite {
  readonly kind: Kind;
  /** Null: a new document. */
  readonly documentId: string | null;
  readonly locale: string;
  readonly publish: boolean;
  readonly changes: Changes;
  readonly relation: RelationChange | null;
}

/** What an operation was about, for what may not have changed by it. */
interface Effect {
  readonly story: string;
  readonly documentId: string | null;
  readonly locale: string;
  readonly action: 'write' | 'publish' | 'unpublish' | 'discard' | 'remove' | 'none';
  readonly publishes: boolean;
  readonly names: ReadonlySet<string>;
  readonly relation: RelationChange | null;
}

/** What was read of one version. */
interface Snapshot {
  readonly kind: Kind;
  readonly record: Answer;
  readonly components: Readonly<Record<string, readonly number[]>>;
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

const manySides = (kind: Kind) => sidesOf(kind, TWO_WAY).filter(({ relation, side }) => isMany(relation, side));

/** The versions in a list, in order: of a document with locales several may stand in it. */
const entriesIn = (value: unknown): readonly string[] => (value as readonly Answer[]).map(({ documentId, locale }) => `${documentId} ${String(locale)}`);

const documentOf = (entry: string): string => entry.split(' ')[0] ?? '';

const common = (list: readonly string[], other: readonly string[]): readonly string[] => list.filter((id) => other.includes(id));

/** A database and the plain model of what must be in it: every operation is done to both, and everything compared after each. */
export class RandomSite {
  readonly content: ContentReference;
  /** What was done, in order. */
  readonly history: string[] = [];
  readonly #world: World;
  readonly #api: Api;
  readonly #comparison: Comparison;
  readonly #brokenRules: () => Promise<readonly string[]>;
  #snapshots: ReadonlyMap<string, Snapshot> = new Map();
  #revisions: ReadonlyMap<string, number> = new Map();

  constructor(world: World) {
    this.#world = world;
    this.#api = createApi(world, { clock: steppingClock() });
    this.#comparison = new Comparison(this.#api, TWO_WAY);
    this.content = new ContentReference(this.#comparison.reference);
    this.#brokenRules = createTableRules(world);
  }

  /** Empties the database. */
  async clear(): Promise<void> {
    const { model, database } = this.#world;
    await database.transact(async (tx) => {
      for (const { storage, origin, singularName } of model.types) if (origin === 'project' || singularName === 'file') await tx.model(storage.anchor.model).deleteMany({ where: {} });
    });
  }

  documents(target: Target): readonly string[] {
    return target === 'file' ? [...this.content.files] : this.#comparison.reference.documents(target);
  }

  locales(documentId: string): readonly string[] {
    return this.#comparison.reference.locales(documentId);
  }

  stored(documentId: string | null, locale: string, name: string): readonly Ref[] {
    return documentId === null ? [] : this.content.stored(documentId, locale, name);
  }

  /** The id of the single component that a version's edited status holds, if it holds one. */
  componentId(kind: Kind, documentId: string | null, locale: string, name: string): number | undefined {
    return this.#snapshots.get(`${String(documentId)} ${locale} ${hasDrafts(kind) ? 'draft' : 'published'}`)?.components[name]?.[0];
  }

  async createFile(): Promise<string> {
    const { documentId } = await this.#api.create('file', FILE);
    this.content.files.add(documentId);
    return this.#check({ ...this.#effect('write', null, '-'), story: `file ${documentId}` });
  }

  async removeFile(documentId: string): Promise<string> {
    assert.equal(await this.#api.remove('file', documentId), true);
    this.content.remove('file', documentId, null);
    return this.#check({ ...this.#effect('remove', null, '-'), story: `file ${documentId} removed` });
  }

  async write({ kind, documentId, locale, publish, changes, relation }: SiteWrite): Promise<string> {
    const data = { ...changesInput(membersOf(kind), changes), ...relationInput(relation) };
    const params = { status: publish ? 'published' : 'draft', ...toParams(locale) };
    const story = `${documentId === null ? 'create' : 'update'} ${kind} ${documentId ?? ''} ${JSON.stringify(params)} ${JSON.stringify(data)}`;
    const { reference } = this.#comparison;
    const call = documentId === null ? this.#api.create(kind, data, params) : this.#api.update(kind, documentId, data, params);
    const isWritten = await call.then(() => true, () => false);
    const id = documentId ?? (isWritten ? (await call)?.documentId : undefined) ?? 'refused';
    const isPublished = publish || !hasDrafts(kind);
    const isAllowed = !this.content.refuses({ locale, changes }) && reference.write({ kind, documentId: id, locale, publish: isPublished, ...(relation === null ? {} : { relation }) });
    if (!isAllowed) {
      assert.equal(await faultsOf(call), 'request/invalid-relation', story);
      return this.#check({ ...this.#effect('none', documentId, locale), story: `${story} refused` });
    }
    await call;
    const others = this.content.write({ kind, documentId: id, locale, publish: isPublished, changes }).filter((other) => other !== locale);
    if (!isPublished) for (const other of others) reference.markEdited(id, other);
    return this.#check({ ...this.#effect('write', id, locale), story: `${story} → ${id}`, publishes: isPublished, names: new Set(Object.keys(changes)), relation });
  }

  async publish(kind: Kind, documentId: string, locale: string): Promise<string> {
    await this.#api.act('publish', kind, documentId, toParams(locale));
    assert.equal(this.#comparison.reference.write({ kind, documentId, locale, publish: true }), true);
    this.content.write({ kind, documentId, locale, publish: true, changes: {} });
    return this.#check({ ...this.#effect('publish', documentId, locale), publishes: true });
  }

  async unpublish(kind: Kind, documentId: string, locale: string): Promise<string> {
    await this.#comparison.unpublish(kind, documentId, locale);
    this.content.unpublish(documentId, locale);
    return this.#check(this.#effect('unpublish', documentId, locale));
  }

  async discard(kind: Kind, documentId: string, locale: string): Promise<string> {
    const isPublished = this.#comparison.reference.exists(documentId, locale, 'published');
    await this.#comparison.discard(kind, documentId, locale);
    this.content.discard(documentId, locale);
    return this.#check(this.#effect(isPublished ? 'discard' : 'none', documentId, locale));
  }

  /** Deletes one locale; null: the whole document. */
  async remove(kind: Kind, documentId: string, locale: string | null): Promise<string> {
    assert.equal(await this.#api.remove(kind, documentId, locale === null ? '*' : toParams(locale).locale), true);
    for (const each of locale === null ? this.locales(documentId) : [locale]) this.#comparison.reference.removeLocale(documentId, each);
    this.content.remove(kind, documentId, locale);
    return this.#check(this.#effect('remove', documentId, locale ?? '*'));
  }

  #effect(action: Effect['action'], documentId: string | null, locale: string): Effect {
    return { story: `${action} ${String(documentId)} ${locale}`, documentId, locale, action, publishes: false, names: new Set(), relation: null };
  }

  async #check(effect: Effect): Promise<string> {
    const { story } = effect;
    this.history.push(story);
    assert.deepEqual(await this.#brokenRules(), [], story);
    const revisions = await readRevisions(this.#world);
    this.#checkRevisions(revisions, effect);
    const snapshots = new Map<string, Snapshot>();
    for (const kind of KINDS) {
      for (const status of STATUSES) for (const locale of isLocalized(kind) ? LOCALES : ['-']) await this.#readBack({ kind, status, locale }, snapshots, story);
    }
    for (const [key, before] of this.#snapshots) {
      const after = snapshots.get(key);
      if (after !== undefined) checkUnchanged(key, before, after, effect);
    }
    if (effect.documentId !== null) checkOrder(snapshots, effect);
    this.#snapshots = snapshots;
    this.#revisions = revisions;
    return story;
  }

  #checkRevisions(revisions: ReadonlyMap<string, number>, { story, documentId, action }: Effect): void {
    for (const [id, before] of this.#revisions) {
      const after = revisions.get(id);
      if (after === undefined) assert.deepEqual([id, action], [documentId, 'remove'], `${story}\n${id} is gone`);
      else if (action === 'none') assert.equal(after, before, `${story}\nrevision of ${id}`);
      else assert.ok(id === documentId ? after > before : after >= before, `${story}\nrevision of ${id}: ${before} → ${after}`);
    }
  }

  async #readBack(at: { readonly kind: Kind; readonly status: Status; readonly locale: string }, snapshots: Map<string, Snapshot>, story: string): Promise<void> {
    const { kind, status, locale } = at;
    const members = membersOf(kind);
    const relations = sidesOf(kind, TWO_WAY).map(({ relation, side, name }) => [name, { fields: isLocalized(side === 'owner' ? relation.target : relation.owner) ? ['documentId', 'locale'] : ['documentId'] }] as const);
    const isMentioned = MORPH_TARGETS.some((target) => target === kind);
    const populate = { ...populateAll(members), ...Object.fromEntries(relations), ...(isMentioned ? { mentioned: { fields: ['documentId'] } } : {}) };
    const records = await this.#api.list(kind, { status, populate, ...toParams(locale) });
    this.#comparison.compare(records, at, story);
    for (const record of records) {
      const { documentId } = record;
      const place = `${documentId} ${locale} ${status}`;
      assert.deepEqual(readMembers(members, record), this.content.seen(documentId, locale, status), `${story}\n${kind} ${place}`);
      if (isMentioned) assert.deepEqual([...new Set(idsIn(record['mentioned']))].toSorted(), this.content.mentioning(kind, documentId, locale, status).toSorted(), `${story}\n${kind} ${place} mentioned`);
      const components = componentIds(members, record);
      const all = Object.values(components).flat();
      assert.equal(new Set(all).size, all.length, `${story}\n${place}: components with one id`);
      snapshots.set(place, { kind, record, components, lists: Object.fromEntries(manySides(kind).map(({ name }) => [name, entriesIn(record[name])])) });
    }
  }
}

const relationInput = (change: RelationChange | null): Readonly<Record<string, unknown>> => {
  if (change === null) return {};
  const { relation, side, operation } = change;
  return { [side === 'owner' ? ownAttribute(relation) : inverseAttribute(relation)]: toData(operation) };
};

const keptTimes = ({ id, createdAt, updatedAt, publishedAt }: Answer): unknown => ({ id, createdAt, updatedAt, publishedAt });

const isTouched = ({ kind }: Snapshot, status: string, effect: Effect): boolean => {
  if (!hasDrafts(kind)) return effect.action === 'write' || effect.action === 'remove';
  if (status === 'published') return effect.publishes;
  return effect.action === 'write' || effect.publishes || effect.action === 'discard';
};

/** What one operation leaves of a version that it was not about: its row, its components' ids, and the order of its lists. */
const checkUnchanged = (key: string, before: Snapshot, after: Snapshot, effect: Effect): void => {
  const [documentId = '', , status = ''] = key.split(' ');
  const at = `${effect.story}\n${before.kind} ${key}`;
  assert.equal(after.record.id, before.record.id, `${at}: another row`);
  assert.deepEqual(after.record['createdAt'], before.record['createdAt'], at);
  const isOwn = documentId === effect.documentId;
  if (!isOwn || !isTouched(before, status, effect)) assert.deepEqual(keptTimes(after.record), keptTimes(before.record), `${at}: touched`);
  for (const [name, ids] of Object.entries(before.components)) {
    const isWritten = isOwn && (effect.names.has(name) || effect.publishes || effect.action === 'discard');
    if (!isWritten) assert.deepEqual(after.components[name], ids, `${at}.${name}: ids`);
  }
  const isCopied = isOwn && (status === 'published' ? effect.publishes : effect.action === 'discard');
  for (const { relation, name } of manySides(before.kind)) {
    if (isCopied || relation === effect.relation?.relation) continue;
    const [old, now] = [before.lists[name] ?? [], after.lists[name] ?? []];
    assert.deepEqual(common(now, old), common(old, now), `${at}.${name}: order`);
  }
};

/** Lists are shown as they were set, and published in the draft's order. */
const checkOrder = (snapshots: ReadonlyMap<string, Snapshot>, { story, documentId, locale, publishes, relation }: Effect): void => {
  const versionIn = (status: Status): Snapshot | undefined => snapshots.get(`${String(documentId)} ${locale} ${status}`);
  const [draft, published] = [versionIn('draft'), versionIn('published')];
  const { kind } = draft ?? published ?? { kind: 'plain' };
  if (relation !== null && relation.operation.kind === 'set' && isMany(relation.relation, relation.side)) {
    const name = relation.side === 'owner' ? ownAttribute(relation.relation) : inverseAttribute(relation.relation);
    for (const [status, version] of [['draft', draft], ['published', published]] as const) {
      if (version === undefined || (status === 'published' && !publishes)) continue;
      const list = [...new Set((version.lists[name] ?? []).map(documentOf))];
      assert.deepEqual(list, common(relation.operation.targets, list), `${story}\n${status} ${name}: as set`);
    }
  }
  if (!publishes || draft === undefined || published === undefined || !hasDrafts(kind)) return;
  for (const { name, side } of manySides(kind)) {
    const edited: readonly string[] = draft.lists[name] ?? [];
    const shown: readonly string[] = published.lists[name] ?? [];
    if (side === 'owner') assert.deepEqual(common(shown, edited), common(edited, shown), `${story}\n${name}: published in the draft's order`);
  }
};
