import { typeText } from '../../support/schema-files.js';
import type { Files } from '../../support/schema-files.js';
import { OTHER, THING } from '../../support/schema-problems.js';

/** The files of the types `thing` and `other`, with their attributes. */
export const both = (own: readonly string[], others: readonly string[]): Files => ({
  [THING]: typeText('thing', own),
  [OTHER]: typeText('other', others),
});

/** The text of a relation to `other`. Each option stands on a line of its own. */
export const relation = (name: string, kind: string, rest = ''): string =>
  `"${name}": { "type": "relation",\n "relation": "${kind}",\n "target": ` +
  `"api::other.other"${rest === '' ? '' : `,\n ${rest}`} }`;

/** The text of a relation to `thing`. */
export const back = (name: string, kind: string, rest = ''): string =>
  relation(name, kind, rest).replace('api::other.other', 'api::thing.thing');
