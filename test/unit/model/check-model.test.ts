import { describe } from 'vitest';
import { componentText, typePath, typeText } from '../../support/schema-files.js';
import { errorAt, OTHER, testProblemCases, THING, warningAt } from '../../support/schema-problems.js';
import type { ProblemCase } from '../../support/schema-problems.js';

const copy = (name: string, head: Parameters<typeof typeText>[2]): string => typeText(name, [], head);

const nameCases: readonly ProblemCase[] = [
  {
    what: 'a plural name twice',
    files: {
      [THING]: copy('thing', { pluralName: 'stuff' }),
      [OTHER]: copy('other', { pluralName: 'stuff', collectionName: 'others' }),
    },
    problems: [errorAt('duplicate-name', 6, undefined, THING)],
    message: new RegExp(`pluralName "stuff" is also the pluralName of ${OTHER}`),
  },
  {
    what: 'a singular name in two APIs',
    files: {
      [THING]: copy('thing', {}),
      'src/api/more/content-types/thing/schema.json': copy('thing', {
        pluralName: 'more-things',
        collectionName: 'more',
      }),
    },
    problems: [
      errorAt('duplicate-name', 5, undefined, THING),
      warningAt('duplicate-name', 5, undefined, THING),
    ],
    message: /"thing" is also the singularName of src\/api\/more|"Thing" is that of api::more.thing/,
  },
  {
    what: 'a single type at the address of a collection',
    files: {
      [THING]: copy('thing', { pluralName: 'other' }),
      [OTHER]: copy('other', { kind: 'singleType' }),
    },
    problems: [errorAt('duplicate-name', 6, undefined, THING)],
    message: /pluralName "other" is also the singularName of/,
  },
  {
    what: 'a table twice',
    files: {
      [THING]: copy('thing', { collectionName: 'stuff' }),
      [OTHER]: copy('other', { collectionName: 'Stuff' }),
    },
    problems: [errorAt('duplicate-name', 3, undefined, THING)],
    message: new RegExp(`collectionName "stuff" is also the collectionName of ${OTHER}`),
  },
  {
    what: 'the table of a built-in type',
    files: { [typePath('file')]: copy('file', {}) },
    problems: [errorAt('duplicate-name', 3, undefined, typePath('file'))],
    message: /collectionName "files" is also the collectionName of the built-in type plugin::upload.file/,
  },
  {
    what: 'a type name twice',
    files: { [typePath('a-1')]: copy('a-1', {}), [typePath('a1')]: copy('a1', {}) },
    problems: [warningAt('duplicate-name', 5, undefined, typePath('a1'))],
    message: /type name in GraphQL and TypeScript is "A1_", since "A1" is that of api::a-1.a-1/,
  },
  {
    what: 'a component with the type name of another',
    files: { 'src/components/a-b/c.json': componentText([]), 'src/components/a/b-c.json': componentText([]) },
    problems: [warningAt('duplicate-name', 1, undefined, 'src/components/a/b-c.json')],
    message: /is "ComponentABC_", since "ComponentABC" is that of a-b.c/,
  },
];

describe('a name that two files use', () => {
  testProblemCases(nameCases);
});
