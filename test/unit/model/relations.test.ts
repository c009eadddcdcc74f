import { describe } from 'vitest';
import { componentText } from '../../support/schema-files.js';
import { errorAt, OTHER, PART, testProblemCases, thing, warningAt } from '../../support/schema-problems.js';
import type { ProblemCase } from '../../support/schema-problems.js';
import { back, both, relation } from './relation-texts.js';

const KINDS = [
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
  'morphOne',
  'morphMany',
  'morphToOne',
  'morphToMany',
];

/** A relation to users that links the caller by default. */
const toCaller = (kind: string, rest = ''): string =>
  `"x": { "type": "relation", "relation": "${kind}", "target": "plugin::users-permissions.user",\n` +
  ` "default": "$caller"${rest} }`;

const callerCases: readonly ProblemCase[] = [
  {
    what: 'the caller as default in a component',
    files: {
      ...thing('"part": { "type": "component", "component": "shared.part" }'),
      [PART]: componentText([toCaller('oneToOne')]),
    },
    problems: [errorAt('invalid-default', 6, 'x', PART)],
    message: /relation "x" cannot have the default "\$caller": a component has no creator/,
  },
  {
    what: 'the caller as default of a relation to another type',
    files: both([relation('x', 'manyToOne', '"default": "$caller"')], []),
    problems: [errorAt('invalid-default', 15, 'x')],
    message: /its target must be plugin::users-permissions.user/,
  },
  {
    what: 'the caller as default of a relation in which each user has one document',
    files: {
      ...thing(toCaller('oneToOne', ', "inversedBy": "thing"')),
      'src/extensions/users-permissions/content-types/user/schema.json': JSON.stringify({
        attributes: {
          thing: { type: 'relation', relation: 'oneToOne', target: 'api::thing.thing', mappedBy: 'x' },
        },
      }),
    },
    problems: [errorAt('invalid-default', 13, 'x')],
    message: /each user could then own one document; use manyToOne/,
  },
  {
    what: 'another default of a relation',
    files: both([relation('x', 'manyToOne', '"default": "me"')], []),
    problems: [warningAt('invalid-default', 15, 'x')],
    message: /the default "me" is ignored: a relation has no default but "\$caller"/,
    allowed: ['$caller'],
  },
];

const relationCases: readonly ProblemCase[] = [
  {
    what: 'no kind',
    files: thing('"x": { "type": "relation", "target": "api::thing.thing" }'),
    problems: [errorAt('unknown-relation', 12, 'x')],
    message: /needs "relation"/,
    allowed: KINDS,
  },
  {
    what: 'an unknown kind',
    files: both([relation('x', 'oneToMny')], []),
    problems: [errorAt('unknown-relation', 13, 'x')],
    message: /no kind of relation "oneToMny"\. Did you mean "oneToMany"/,
    allowed: KINDS,
  },
  {
    what: 'no target',
    files: thing('"x": { "type": "relation", "relation": "oneToOne" }'),
    problems: [errorAt('missing-option', 12, 'x')],
    message: /needs "target"/,
  },
  {
    what: 'a target that is not there',
    files: both(['"x": { "type": "relation", "relation": "oneToOne",\n "target": "api::othr.othr" }'], []),
    problems: [warningAt('dangling-target', 13, 'x')],
    message: /no content-type api::othr.othr; the relation is left out\. Did you mean "api::other.other"/,
  },
  {
    what: 'a component as target',
    files: {
      ...thing('"x": { "type": "relation", "relation": "oneToOne", "target": "shared.part" }'),
      [PART]: componentText([]),
    },
    problems: [warningAt('dangling-target', 12, 'x')],
    message: /no content-type shared.part/,
  },
  {
    what: 'both ends at once',
    files: both([relation('x', 'oneToOne', '"mappedBy": "y",\n "inversedBy": "y"')], [back('y', 'oneToOne')]),
    problems: [warningAt('wrong-inverse', 12, 'y', OTHER), warningAt('ambiguous-owner', 15, 'x')],
    message: /has "inversedBy": "y", so this needs "mappedBy": "x"; they are linked all the same/,
  },
  {
    what: 'mappedBy on the many side',
    files: both([relation('x', 'manyToOne', '"mappedBy": "y"')], [back('y', 'oneToMany')]),
    problems: [errorAt('wrong-side', 15, 'x')],
    message: /manyToOne relation cannot have "mappedBy"/,
    allowed: ['inversedBy'],
  },
  {
    what: 'inversedBy on the one side',
    files: both([relation('x', 'oneToMany', '"inversedBy": "y"')], [back('y', 'manyToOne')]),
    problems: [errorAt('wrong-side', 15, 'x')],
    message: /oneToMany relation cannot have "inversedBy"/,
    allowed: ['mappedBy'],
  },
  {
    what: 'an inverse that is not there',
    files: both([relation('x', 'manyToOne', '"inversedBy": "thngs"')], [back('things', 'oneToMany')]),
    problems: [errorAt('missing-inverse', 15, 'x')],
    message: /api::other.other "thngs" in \S+ does not exist\. Did you mean "things"/,
    allowed: ['things'],
  },
  {
    what: 'an owner that is not there',
    files: both([relation('x', 'oneToMany', '"mappedBy": "y"')], []),
    problems: [warningAt('missing-inverse', 15, 'x')],
    message: /"y" in \S+ does not exist; the relation is left out/,
  },
  {
    what: 'an inverse that is no relation',
    files: both([relation('x', 'manyToOne', '"inversedBy": "y"')], ['"y": { "type": "string" }']),
    problems: [errorAt('wrong-inverse', 15, 'x')],
    message: /api::other.other "y" in \S+ is not a relation but of type string/,
  },
  {
    what: 'an inverse of the wrong kind',
    files: both(
      [relation('x', 'manyToOne', '"inversedBy": "y"')],
      [back('y', 'manyToMany', '"mappedBy": "x"')],
    ),
    problems: [warningAt('wrong-inverse', 15, 'y', OTHER)],
    message: /must be manyToMany, but is manyToOne; they are linked all the same/,
  },
  {
    what: 'mappedBy without inversedBy over there',
    files: both([relation('x', 'oneToMany', '"mappedBy": "y"')], [back('y', 'manyToOne')]),
    problems: [warningAt('wrong-inverse', 15, 'x')],
    message: /api::other.other "y" in \S+ must have "inversedBy": "x"; the relation is left out/,
  },
  {
    what: 'an inverse that follows another',
    files: both(
      [relation('x', 'oneToOne', '"inversedBy": "y"'), relation('z', 'oneToOne', '"inversedBy": "y"')],
      [back('y', 'oneToOne', '"mappedBy": "x"')],
    ),
    problems: [warningAt('wrong-inverse', 15, 'y', OTHER), warningAt('wrong-inverse', 15, 'x')],
    message: /"z" in \S+ has "inversedBy": "y", so this needs "mappedBy": "z"/,
  },
  {
    what: 'an inverse of another type',
    files: both(
      [relation('x', 'oneToOne', '"inversedBy": "y"')],
      [
        '"y": { "type": "relation", "relation": "oneToOne", "target": "api::other.other", "mappedBy": "y2" }',
        '"y2": { "type": "relation", "relation": "oneToOne", "target": "api::other.other", ' +
          '"inversedBy": "y" }',
      ],
    ),
    problems: [warningAt('wrong-inverse', 15, 'x')],
    message: /"y" in \S+ points at api::other.other, not at api::thing.thing; this relation is one-way/,
  },
  {
    what: 'morphMany without morphBy',
    files: both([relation('x', 'morphMany')], []),
    problems: [errorAt('missing-option', 12, 'x')],
    message: /morphMany relation needs "morphBy"/,
  },
  {
    what: 'morphBy at a plain relation',
    files: both([relation('x', 'morphOne', '"morphBy": "y"')], [back('y', 'manyToMany')]),
    problems: [errorAt('wrong-inverse', 15, 'x')],
    message: /must be morphToOne or morphToMany, but is manyToMany/,
  },
  {
    what: 'two followers of one polymorphic relation',
    files: both(
      [relation('x', 'morphOne', '"morphBy": "y"'), relation('z', 'morphMany', '"morphBy": "y"')],
      ['"y": { "type": "relation", "relation": "morphToMany" }'],
    ),
    problems: [errorAt('duplicate-inverse', 19, 'z')],
    message: /"x" of this type is already the inverse of api::other.other "y"/,
  },
];

describe('one mistake in a relation', () => {
  testProblemCases([...relationCases, ...callerCases]);
});
