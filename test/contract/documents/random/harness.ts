import assert from 'node:assert/strict';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { hasDrafts, inverseAttribute, isLocalized, KINDS, ownAttribute } from '../relation-kinds.js';
import type { Kind, Status } from '../relation-kinds.js';
import { Comparison, idsIn, sidesOf, toData, toParams } from '../relation-comparison.js';
import { createApi, issuesOf, steppingClock } from '../service.js';
import type { Api } from '../service.js';
import { ContentReference } from './content-reference.js';
import { membersOf, MORPH_TARGETS, TWO_WAY } from './project.js';
import type { Target } from './project.js';
import { componentIds, populateAll, readMembers } from './read-back.js';
import { createTableRules, readRevisions } from './table-rules.js';
import { changesInput } from './values.js';
import type { Changes, Ref } from './values.js';
import { manySides, entriesIn, checkUnchanged, checkOrder } from './snapshots.js';
import type { RelationChange, Effect, Snapshot } from './snapshots.js';

export const LOCALES = ['en', 'fr'] as const;
const STATUSES = ['draft', 'published'] as const;
const FILE = {
  name: 'a.png',
  hash: 'h',
  mime: 'image/png',
  size: 1,
  url: '/uploads/a.png',
  provider: 'local',
};

export interface HarnessWrite {
  readonly kind: Kind;
  /** Null for a new document. */
  readonly documentId: string | null;
  readonly locale: string;
  readonly publish: boolean;
  readonly changes: Changes;
  readonly relation: RelationChange | null;
}

/**
 * A database, and reference implementations that know its expected content. Every operation is done with
 * both, and all content is compared afterwards.
 */
export class RandomTestHarness {
  readonly content: ContentReference;
  /** Descriptions of all operations so far, in order. */
  readonly history: string[] = [];
  readonly #testEnvironment: TestEnvironment;
  readonly #api: Api;
  readonly #comparison: Comparison;
  readonly #brokenRules: () => Promise<readonly string[]>;
  #snapshots: ReadonlyMap<string, Snapshot> = new Map();
  #revisions: ReadonlyMap<string, number> = new Map();

  /** @param open creates the service that the operations call */
  constructor(testEnvironment: TestEnvironment, open: typeof createApi = createApi) {
    this.#testEnvironment = testEnvironment;
    this.#api = open(testEnvironment, { clock: steppingClock() });
    this.#comparison = new Comparison(this.#api, TWO_WAY);
    this.content = new ContentReference(this.#comparison.reference);
    this.#brokenRules = createTableRules(testEnvironment);
  }

  /** Empties the database. */
  async clear(): Promise<void> {
    const { model, database } = this.#testEnvironment;
    await database.transact(async (tx) => {
      for (const { storage, origin, singularName } of model.types)
        if (origin === 'project' || singularName === 'file')
          await tx.model(storage.document.model).deleteMany({ where: {} });
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

  /** Returns the id of a single component of the draft, or of the only version of kinds without drafts. */
  componentId(kind: Kind, documentId: string | null, locale: string, name: string): number | undefined {
    return this.#snapshots.get(`${String(documentId)} ${locale} ${hasDrafts(kind) ? 'draft' : 'published'}`)
      ?.components[name]?.[0];
  }

  async createFile(): Promise<string> {
    const { documentId } = await this.#api.create('file', FILE);
    this.content.files.add(documentId);
    return this.#check({ ...this.#effect('write', null, '-'), description: `file ${documentId}` });
  }

  async removeFile(documentId: string): Promise<string> {
    assert.equal(await this.#api.remove('file', documentId), true);
    this.content.remove('file', documentId, null);
    return this.#check({ ...this.#effect('remove', null, '-'), description: `file ${documentId} removed` });
  }

  async write({ kind, documentId, locale, publish, changes, relation }: HarnessWrite): Promise<string> {
    const data = { ...changesInput(membersOf(kind), changes), ...relationInput(relation) };
    const params = { status: publish ? 'published' : 'draft', ...toParams(locale) };
    const action = documentId === null ? 'create' : `update ${documentId}`;
    const description = `${action} ${kind} ${JSON.stringify(params)} ${JSON.stringify(data)}`;
    const { reference } = this.#comparison;
    const call =
      documentId === null
        ? this.#api.create(kind, data, params)
        : this.#api.update(kind, documentId, data, params);
    const isWritten = await call.then(
      () => true,
      () => false,
    );
    const id = documentId ?? (isWritten ? (await call)?.documentId : undefined) ?? 'refused';
    const isPublished = publish || !hasDrafts(kind);
    const isAllowed =
      !this.content.isRejected({ locale, changes }) &&
      reference.write({
        kind,
        documentId: id,
        locale,
        publish: isPublished,
        ...(relation === null ? {} : { relation }),
      });
    if (!isAllowed) {
      assert.equal(await issuesOf(call), 'request/invalid-relation', description);
      return this.#check({
        ...this.#effect('none', documentId, locale),
        description: `${description} refused`,
      });
    }
    await call;
    const others = this.content
      .write({ kind, documentId: id, locale, publish: isPublished, changes })
      .filter((other) => other !== locale);
    if (!isPublished) for (const other of others) reference.markEdited(id, other);
    return this.#check({
      ...this.#effect('write', id, locale),
      description: `${description} → ${id}`,
      publishes: isPublished,
      names: new Set(Object.keys(changes)),
      relation,
    });
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

  /** Deletes one locale, or the whole document if `locale` is null. */
  async remove(kind: Kind, documentId: string, locale: string | null): Promise<string> {
    assert.equal(
      await this.#api.remove(kind, documentId, locale === null ? '*' : toParams(locale).locale),
      true,
    );
    for (const each of locale === null ? this.locales(documentId) : [locale])
      this.#comparison.reference.removeLocale(documentId, each);
    this.content.remove(kind, documentId, locale);
    return this.#check(this.#effect('remove', documentId, locale ?? '*'));
  }

  #effect(action: Effect['action'], documentId: string | null, locale: string): Effect {
    return {
      description: `${action} ${String(documentId)} ${locale}`,
      documentId,
      locale,
      action,
      publishes: false,
      names: new Set(),
      relation: null,
    };
  }

  async #check(effect: Effect): Promise<string> {
    const { description } = effect;
    this.history.push(description);
    assert.deepEqual(await this.#brokenRules(), [], description);
    const revisions = await readRevisions(this.#testEnvironment);
    this.#checkRevisions(revisions, effect);
    const snapshots = new Map<string, Snapshot>();
    for (const kind of KINDS) {
      for (const status of STATUSES)
        for (const locale of isLocalized(kind) ? LOCALES : ['-'])
          await this.#readBack({ kind, status, locale }, snapshots, description);
    }
    for (const [key, before] of this.#snapshots) {
      const after = snapshots.get(key);
      if (after !== undefined) checkUnchanged(key, before, after, effect);
    }
    if (effect.documentId !== null) checkOrder(snapshots, effect);
    this.#snapshots = snapshots;
    this.#revisions = revisions;
    return description;
  }

  #checkRevisions(revisions: ReadonlyMap<string, number>, { description, documentId, action }: Effect): void {
    for (const [id, before] of this.#revisions) {
      const after = revisions.get(id);
      if (after === undefined)
        assert.deepEqual([id, action], [documentId, 'remove'], `${description}\n${id} is gone`);
      else if (action === 'none') assert.equal(after, before, `${description}\nrevision of ${id}`);
      else
        assert.ok(
          id === documentId ? after > before : after >= before,
          `${description}\nrevision of ${id}: ${before} → ${after}`,
        );
    }
  }

  async #readBack(
    at: { readonly kind: Kind; readonly status: Status; readonly locale: string },
    snapshots: Map<string, Snapshot>,
    description: string,
  ): Promise<void> {
    const { kind, status, locale } = at;
    const members = membersOf(kind);
    const relations = sidesOf(kind, TWO_WAY).map(
      ({ relation, side, name }) =>
        [
          name,
          {
            fields: isLocalized(side === 'owner' ? relation.target : relation.owner)
              ? ['documentId', 'locale']
              : ['documentId'],
          },
        ] as const,
    );
    const isMentioned = MORPH_TARGETS.some((target) => target === kind);
    const populate = {
      ...populateAll(members),
      ...Object.fromEntries(relations),
      ...(isMentioned ? { mentioned: { fields: ['documentId'] } } : {}),
    };
    const records = await this.#api.list(kind, { status, populate, ...toParams(locale) });
    this.#comparison.compare(records, at, description);
    for (const record of records) {
      const { documentId } = record;
      const versionKey = `${documentId} ${locale} ${status}`;
      assert.deepEqual(
        readMembers(members, record),
        this.content.visible(documentId, locale, status),
        `${description}\n${kind} ${versionKey}`,
      );
      if (isMentioned)
        assert.deepEqual(
          [...new Set(idsIn(record['mentioned']))].toSorted(),
          this.content.mentioning(kind, documentId, locale, status).toSorted(),
          `${description}\n${kind} ${versionKey} mentioned`,
        );
      const components = componentIds(members, record);
      const all = Object.values(components).flat();
      assert.equal(new Set(all).size, all.length, `${description}\n${versionKey}: components with one id`);
      snapshots.set(versionKey, {
        kind,
        record,
        components,
        lists: Object.fromEntries(manySides(kind).map(({ name }) => [name, entriesIn(record[name])])),
      });
    }
  }
}

const relationInput = (change: RelationChange | null): Readonly<Record<string, unknown>> => {
  if (change === null) return {};
  const { relation, side, operation } = change;
  return { [side === 'owner' ? ownAttribute(relation) : inverseAttribute(relation)]: toData(operation) };
};
