import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { ColumnKind } from '../../../../src/lib/stored-value.js';
import { SCALAR_TYPE_NAMES } from '../../../../src/model/fields/field-type.js';
import type {
  FieldIssue,
  FieldType,
  ParseResult,
  ScalarConstraints,
  Strictness,
} from '../../../../src/model/fields/field-type.js';
import { FIELD_TYPES, fieldType } from '../../../../src/model/fields/registry.js';
import type { FieldFixture } from '../../../fixtures/fields/fixture.js';

const fixtureOf = async (type: string): Promise<FieldFixture> => {
  const module = (await import(`../../../fixtures/fields/${type}.ts`)) as { readonly fixture: FieldFixture };
  return module.fixture;
};

const fixtures = await Promise.all(SCALAR_TYPE_NAMES.map(fixtureOf));

const STRICTNESSES: readonly Strictness[] = ['draft', 'full'];

const constraintsOf = (...parts: readonly (Partial<ScalarConstraints> | undefined)[]): ScalarConstraints =>
  Object.assign({ required: false, unique: false }, ...parts) as ScalarConstraints;

const show = (value: unknown): string => {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 60);
  } catch {
    return String(value);
  }
};

const issuePaths = (parsed: ParseResult<unknown>): unknown =>
  parsed.ok ? parsed.value : parsed.issues.map((issue: FieldIssue) => issue.path);

describe('the registry', () => {
  it('has every scalar type under its name, and a fixture for each', async () => {
    expect(Object.keys(FIELD_TYPES).toSorted()).toEqual([...SCALAR_TYPE_NAMES].toSorted());
    expect(fixtures.map(({ type }) => type)).toEqual([...SCALAR_TYPE_NAMES]);
    const files = await readdir(new URL('../../../../src/model/fields', import.meta.url));
    for (const name of SCALAR_TYPE_NAMES) expect(files).toContain(`${name}.ts`);
  });

  it('has no other names', () => {
    expect(fieldType('string')?.name).toBe('string');
    expect(fieldType('constructor')).toBeUndefined();
    expect(fieldType('relation')).toBeUndefined();
  });
});

describe.each(fixtures)('$type', (fixture) => {
  const field: FieldType = FIELD_TYPES[fixture.type];

  it.each(fixture.accepts.map((sample) => [show(sample.input), sample] as const))(
    'accepts %s',
    (_label, sample) => {
      for (const strictness of sample.strictness === undefined ? STRICTNESSES : [sample.strictness]) {
        const parsed = field.parse(
          sample.input,
          constraintsOf(fixture.constraints, sample.constraints),
          strictness,
        );
        expect(parsed).toStrictEqual({ ok: true, value: 'stored' in sample ? sample.stored : sample.input });
      }
    },
  );

  it.each(fixture.refuses.map((sample) => [show(sample.input), sample] as const))(
    'refuses %s',
    (_label, sample) => {
      for (const strictness of sample.strictness === undefined ? STRICTNESSES : [sample.strictness]) {
        const parsed = field.parse(
          sample.input,
          constraintsOf(fixture.constraints, sample.constraints),
          strictness,
        );
        expect(issuePaths(parsed)).toEqual(sample.paths ?? [[]]);
        for (const issue of parsed.ok ? [] : parsed.issues) expect(issue.message).toMatch(/^must|^cannot/);
      }
    },
  );

  it('accepts comparable filter values and refuses others', () => {
    for (const sample of fixture.filters.accepts) {
      expect(field.parseFilter(sample.input)).toStrictEqual({
        ok: true,
        value: 'stored' in sample ? sample.stored : sample.input,
      });
    }
    expect(fixture.filters.refuses.filter((input) => field.parseFilter(input).ok).map(show)).toEqual([]);
    expect(field.filterable).toBe(fixture.filters.accepts.length > 0);
  });

  it('does not throw on any input', () => {
    const inputs = [
      undefined,
      null,
      Number.NaN,
      10n,
      Symbol('x'),
      () => 1,
      new Date(Number.NaN),
      /x/,
      new Map(),
      Object.create(null),
      [[]],
      { length: 1 },
      Number.MAX_VALUE,
      '\ud800',
    ];
    for (const input of inputs) {
      for (const strictness of STRICTNESSES)
        expect(typeof field.parse(input, constraintsOf(fixture.constraints), strictness).ok).toBe('boolean');
      expect(typeof field.parseFilter(input).ok).toBe('boolean');
    }
  });

  it('reports options that contradict each other, and no others', () => {
    expect(field.checkOptions?.(constraintsOf(fixture.constraints), undefined) ?? []).toEqual([]);
    for (const { constraints, message } of fixture.contradictions ?? [])
      expect(field.checkOptions?.(constraintsOf(constraints), undefined).join()).toMatch(message);
  });

  it('stores values that fit its column and JSON', () => {
    const isStorable: Readonly<Record<ColumnKind, (value: unknown) => boolean>> = {
      text: (value) => typeof value === 'string',
      integer: (value) => Number.isInteger(value),
      bigint: (value) => typeof value === 'bigint',
      double: (value) => Number.isFinite(value),
      boolean: (value) => typeof value === 'boolean',
      datetime: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
      json: (value) => JSON.stringify(JSON.parse(JSON.stringify(value))) === JSON.stringify(value),
    };
    for (const sample of fixture.accepts)
      expect(
        isStorable[field.column]('stored' in sample ? sample.stored : sample.input),
        show(sample.input),
      ).toBe(true);
  });
});

describe('passwords', () => {
  it('are hashed with bcrypt, each with its own salt', async () => {
    const { compare } = await import('@node-rs/bcrypt');
    const hashPassword = async (password: string): Promise<string> => {
      const hash = await FIELD_TYPES.password.hash?.(password);
      return typeof hash === 'string' ? hash : '';
    };
    const [first, second] = [await hashPassword('hunter22'), await hashPassword('hunter22')];
    expect(first).toMatch(/^\$2[aby]\$10\$.{53}$/);
    expect(second).not.toBe(first);
    expect(await compare('hunter22', first)).toBe(true);
    expect(await compare('hunter23', first)).toBe(false);
  });

  it('are hashed while the event loop turns', async () => {
    let turns = 0;
    let isHashing = true;
    const countTurns = (): void => {
      turns += 1;
      if (isHashing) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    await FIELD_TYPES.password.hash?.('hunter22');
    isHashing = false;
    // A hash takes tens of milliseconds, and a turn microseconds.
    expect(turns).toBeGreaterThan(20);
  });

  it('that other tools hashed are recognised', async () => {
    const { compare } = await import('@node-rs/bcrypt');
    const hash = '10$3lQtFoQu8INatxeEI.IVYOU4WmFZ128/BfDr9YBm7RINNgx.5voJm';
    for (const version of ['2a', '2b', '2y'])
      expect(await compare('hunter22', `$${version}$${hash}`), version).toBe(true);
  });

  it('stay null if they are null, and no other type is hashed', async () => {
    expect(await FIELD_TYPES.password.hash?.(null)).toBeNull();
    expect(
      Object.values(FIELD_TYPES)
        .filter(({ hash: seal }) => seal !== undefined)
        .map(({ name }) => name),
    ).toEqual(['password']);
  });
});

describe('the properties of each type', () => {
  it.each(Object.values(FIELD_TYPES).map((field) => [field.name, field] as const))('%s', (name, field) => {
    const constraints = constraintsOf({ enum: ['a', 'b "c"'], maxLength: 5, max: 9 });
    expect({
      typescript: field.typescript(constraints),
      graphql: field.graphql,
      sortable: field.sortable,
      column: field.column,
    }).toMatchSnapshot(name);
  });
});
