import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { ProjectLiteral } from '../../support/models.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { hasDrafts, isLocalized, isMany, KINDS, RELATIONS } from './relation-kinds.js';
import type { ReferenceOperation } from './relation-kinds.js';
import { Comparison, relationsOf } from './relation-comparison.js';
import { createApi, steppingClock } from './service.js';
import { createRandom } from '../../support/random.js';

const STEPS = 100;

/** Every shape of relation between every two kinds of type: 48 relations. */
const PROJECT: ProjectLiteral = {
  types: Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      {
        pluralName: `${kind}s`,
        collectionName: `${kind}s`,
        draftAndPublish: hasDrafts(kind),
        localized: isLocalized(kind),
        attributes: relationsOf(kind),
      },
    ]),
  ),
};

describe.each(databases)('relations on $name', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database });
  });
  afterAll(() => testEnvironment.close());

  const seeds = process.env['RELATION_SEEDS']?.split(',').map(Number) ?? [1, 2, 3];

  /** Does one random operation. Returns its description. */
  const step = (comparison: Comparison, random: ReturnType<typeof createRandom>): Promise<string> => {
    const { reference } = comparison;
    const roll = random.next();
    if (roll < 0.12) {
      const kind = random.pick(KINDS);
      const documentId = random.pick(reference.documents(kind));
      const locale = random.pick(reference.locales(documentId));
      if (roll < 0.04 || !hasDrafts(kind)) return comparison.remove(kind, documentId, locale);
      return roll < 0.08
        ? comparison.unpublish(kind, documentId, locale)
        : comparison.discard(kind, documentId, locale);
    }
    const relation = random.pick(RELATIONS);
    const side = random.pick(['owner', 'inverse'] as const);
    const kind = side === 'owner' ? relation.owner : relation.target;
    const documentId = random.pick(reference.documents(kind));
    const related = reference
      .documents(side === 'owner' ? relation.target : relation.owner)
      .filter((relatedId) => relatedId !== documentId);
    const targets = (): readonly string[] =>
      isMany(relation, side) ? random.some(related) : random.some(related).slice(0, 1);
    const connect = targets();
    const operation: ReferenceOperation =
      random.next() < 0.4
        ? { kind: 'set', targets: connect }
        : {
            kind: 'change',
            connect,
            disconnect: random.some(related).filter((relatedId) => !connect.includes(relatedId)),
          };
    return comparison.write({
      kind,
      documentId,
      locale: isLocalized(kind) ? random.pick(['en', 'en', 'fr']) : '-',
      publish: random.next() < 0.5,
      ...(random.next() < 0.8 ? { relation: { relation, side, operation } } : {}),
    });
  };

  it.each(seeds)(
    'equal those of the reference after each of many random operations (seed %i)',
    async (seed) => {
      const random = createRandom(seed);
      const api = createApi(testEnvironment, { clock: steppingClock() });
      const comparison = new Comparison(api);
      for (const kind of KINDS)
        for (const { documentId } of await api.list(kind, { status: 'draft', locale: '*' }))
          await api.remove(kind, documentId, '*');
      await comparison.createAll();
      const history: string[] = [];
      for (let count = 0; count < STEPS; count += 1) {
        history.push(await step(comparison, random));
        await comparison.check(history.slice(-12).join('\n'));
      }
      expect(history).toHaveLength(STEPS);
    },
  );
});
