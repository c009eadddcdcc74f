import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { ProjectLiteral, TypeLiteral } from '../../support/models.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { hasDrafts, inverseAttribute, isLocalized, isMany, KINDS, ownAttribute, ReferenceLinks, RELATIONS } from './reference-links.js';
import type { Kind, ReferenceOperation, ReferenceWrite, Relation, Side, Status } from './reference-links.js';
import { createApi, refusal, steppingClock } from './service.js';
import type { Api } from './service.js';

const STEPS = 100;

const OPPOSITE = { oneToOne: 'oneToOne', manyToOne: 'oneToMany', manyToMany: 'manyToMany' } as const;

const relationsOf = (kind: Kind): TypeLiteral['attributes'] => Object.fromEntries(RELATIONS.flatMap((relation) => [
  ...(relation.owner === kind ? [[ownAttribute(relation), { type: 'relation', relation: relation.shape, target: `api::${relation.target}.${relation.target}`, inversedBy: inverseAttribute(relation) }] as const] : []),
  ...(relation.target === kind ? [[inverseAttribute(relation), { type: 'relation', relation: OPPOSITE[relation.shape], target: `api::${relation.owner}.${relation.owner}`, mappedBy: ownAttribute(relation) }] as const] : []),
]));

/** Every shape of relation between every two kinds of type: 48 of them. */
const PROJECT: ProjectLiteral = {
  types: Object.fromEntries(KINDS.map((kind) => [kind, { pluralName: `${kind}s`, collectionName: `${kind}s`, draftAndPublish: hasDrafts(kind), localized: isLocalized(kind), attributes: relationsOf(kind) }])),
};

/** A generator of the same numbers for the same seed (mulberry32). */
const createRandom = (seed: number) => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  return { next, pick, some: <T>(items: readonly T[]): readonly T[] => [...new Set(Array.from({ length: Math.floor(next() * 3) }, () => pick(items)))] };
};

const sorted = (items: Iterable<string>): readonly string[] => [...items].toSorted();

const idsIn = (value: unknown): readonly string[] => {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return items.flatMap((item) => (typeof item === 'object' && item !== null && 'documentId' in item ? [String(item.documentId)] : []));
};

class Comparison {
  readonly reference = new ReferenceLinks();

  constructor(private readonly api: Api) {}

  async createAll(): Promise<void> {
    for (const kind of KINDS) {
      for (const publish of [true, true, false]) {
        const { documentId } = await this.api.create(kind, {}, { status: publish ? 'published' : 'draft' });
        this.reference.write({ kind, documentId, locale: isLocalized(kind) ? 'en' : '-', publish: publish || !hasDrafts(kind) });
      }
    }
  }

  async write({ kind, documentId, locale, publish, relation }: ReferenceWrite): Promise<string> {
    const data = relation === undefined ? {} : { [relation.side === 'owner' ? ownAttribute(relation.relation) : inverseAttribute(relation.relation)]: toData(relation.operation) };
    const params = { status: publish ? 'published' : 'draft', ...toParams(locale) };
    const call = this.api.update(kind, documentId, data, params);
    const story = `${kind} ${documentId.slice(0, 4)} ${JSON.stringify(params)} ${JSON.stringify(data)}`;
    if (!this.reference.write({ kind, documentId, locale, publish: publish || !hasDrafts(kind), ...(relation === undefined ? {} : { relation }) })) {
      assert.equal((await refusal(call)).code, 'request/invalid-relation', story);
      return `${story} refused`;
    }
    await call;
    return story;
  }

  async unpublish(kind: Kind, documentId: string, locale: string): Promise<string> {
    await this.api.act('unpublish', kind, documentId, toParams(locale));
    this.reference.unpublish(documentId, locale);
    return `${kind} ${documentId.slice(0, 4)} ${locale} unpublished`;
  }

  async discard(kind: Kind, documentId: string, locale: string): Promise<string> {
    if (!this.reference.exists(documentId, locale, 'published')) {
      await refusal(this.api.act('discardDraft', kind, documentId, toParams(locale)));
      return 'nothing to discard';
    }
    await this.api.act('discardDraft', kind, documentId, toParams(locale));
    this.reference.discard(kind, documentId, locale);
    return `${kind} ${documentId.slice(0, 4)} ${locale} discarded`;
  }

  /** Deletes a locale, and where that was the last one makes another document in its stead. */
  async remove(kind: Kind, documentId: string, locale: string): Promise<string> {
    assert.equal(await this.api.remove(kind, documentId, locale === '-' ? undefined : locale), true);
    this.reference.removeLocale(documentId, locale);
    if (this.reference.documents(kind).length < 3) {
      const created = await this.api.create(kind, {});
      this.reference.write({ kind, documentId: created.documentId, locale: isLocalized(kind) ? 'en' : '-', publish: true });
    }
    return `${kind} ${documentId.slice(0, 4)} ${locale} removed`;
  }

  /** Compares every relation of every readable version. */
  async check(story: string): Promise<void> {
    for (const kind of KINDS) {
      for (const status of hasDrafts(kind) ? (['draft', 'published'] as const) : (['published', 'draft'] as const)) {
        for (const locale of isLocalized(kind) ? ['en', 'fr'] : ['-']) await this.#checkVersions(kind, status, locale, story);
      }
    }
  }

  async #checkVersions(kind: Kind, status: Status, locale: string, story: string): Promise<void> {
    const populate = Object.fromEntries(Object.keys(relationsOf(kind)).map((name) => [name, { fields: ['documentId'] }]));
    const records = await this.api.list(kind, { status, populate, fields: ['documentId'], ...toParams(locale) });
    const expected = this.reference.documents(kind).filter((documentId) => this.reference.exists(documentId, locale, status));
    assert.deepEqual(sorted(records.map(({ documentId }) => documentId)), sorted(expected), `${story}\n${kind} ${status} ${locale}`);
    const seen: Record<string, readonly string[]> = {};
    const wanted: Record<string, readonly string[]> = {};
    for (const record of records) {
      for (const { relation, side, name } of sidesOf(kind)) {
        const key = `${record.documentId} ${name}`;
        const all = sorted(this.reference.seen(relation, side, record.documentId, locale, status));
        seen[key] = sorted(idsIn(record[name]));
        // A to-one of a type without locales may be linked in several locales at once: it shows one of them.
        wanted[key] = !isMany(relation, side) && all.length > 1 ? all.filter((id) => seen[key]?.includes(id)).slice(0, 1) : all;
      }
    }
    const differing = Object.keys(wanted).filter((key) => JSON.stringify(wanted[key]) !== JSON.stringify(seen[key])).map((key) => `${key}: ${JSON.stringify(wanted[key])} seen ${JSON.stringify(seen[key])}`);
    assert.equal(differing.length, 0, `${story}\n${kind} ${status} ${locale}\n${differing.join('\n')}`);
  }
}

const sidesOf = (kind: Kind): readonly { readonly relation: Relation; readonly side: Side; readonly name: string }[] => RELATIONS.flatMap((relation) => [
  ...(relation.owner === kind ? [{ relation, side: 'owner', name: ownAttribute(relation) } as const] : []),
  ...(relation.target === kind ? [{ relation, side: 'inverse', name: inverseAttribute(relation) } as const] : []),
]);

const toParams = (locale: string) => (locale === '-' ? {} : { locale });

const toData = (operation: ReferenceOperation): unknown => (operation.kind === 'set' ? operation.targets : { connect: operation.connect, disconnect: operation.disconnect });

describe.each(databases)('the rules of relations on $name', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ model: PROJECT, database });
  });
  afterAll(() => world.close());

  const seeds = process.env['RELATION_SEEDS']?.split(',').map(Number) ?? [1, 2, 3];

  /** One random step of a history. */
  const step = (comparison: Comparison, random: ReturnType<typeof createRandom>): Promise<string> => {
    const { reference } = comparison;
    const dice = random.next();
    if (dice < 0.12) {
      const kind = random.pick(KINDS);
      const documentId = random.pick(reference.documents(kind));
      const locale = random.pick(reference.locales(documentId));
      if (dice < 0.04 || !hasDrafts(kind)) return comparison.remove(kind, documentId, locale);
      return dice < 0.08 ? comparison.unpublish(kind, documentId, locale) : comparison.discard(kind, documentId, locale);
    }
    const relation = random.pick(RELATIONS);
    const side = random.pick(['owner', 'inverse'] as const);
    const kind = side === 'owner' ? relation.owner : relation.target;
    const documentId = random.pick(reference.documents(kind));
    const peers = reference.documents(side === 'owner' ? relation.target : relation.owner).filter((peer) => peer !== documentId);
    const targets = (): readonly string[] => (isMany(relation, side) ? random.some(peers) : random.some(peers).slice(0, 1));
    const connect = targets();
    const operation: ReferenceOperation = random.next() < 0.4 ? { kind: 'set', targets: connect } : { kind: 'change', connect, disconnect: random.some(peers).filter((peer) => !connect.includes(peer)) };
    return comparison.write({
      kind, documentId, locale: isLocalized(kind) ? random.pick(['en', 'en', 'fr']) : '-', publish: random.next() < 0.5,
      ...(random.next() < 0.8 ? { relation: { relation, side, operation } } : {}),
    });
  };

  it.each(seeds)('hold through a random history (seed %i)', async (seed) => {
    const random = createRandom(seed);
    const api = createApi(world, { clock: steppingClock() });
    const comparison = new Comparison(api);
    for (const kind of KINDS) for (const { documentId } of await api.list(kind, { status: 'draft', locale: '*' })) await api.remove(kind, documentId, '*');
    await comparison.createAll();
    const history: string[] = [];
    for (let count = 0; count < STEPS; count += 1) {
      history.push(await step(comparison, random));
      await comparison.check(history.slice(-12).join('\n'));
    }
    expect(history).toHaveLength(STEPS);
  });
});
