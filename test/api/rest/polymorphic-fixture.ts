import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LinkRecord } from '../../../src/transfer/source.js';
import { fixtureProject } from '../../support/models.js';
import type { ExportContent } from '../../support/strapi-export.js';
import { MAGAZINE_EXPORT } from '../transfer/import-fixture.js';

const RELATED = 'src/components/sections/related.json';

const morph = (field: string, type: string, ref: number, pos?: number): LinkRecord => ({
  kind: 'relation.morph',
  relation: field === 'things' ? 'morphToMany' : 'morphToOne',
  left: { type: 'sections.related', field, ref: 52 },
  right: { type, ref, ...(pos === undefined ? {} : { pos }) },
});

/** Polymorphic relations in a component, which Strapi writes for drafts. */
export const MORPHS = [
  morph('things', 'api::author.author', 5, 1),
  morph('things', 'api::tag.tag', 10, 2),
  morph('subject', 'api::tag.tag', 11),
];

/** The export of the magazine with these relations. */
export const POLYMORPHIC_EXPORT: ExportContent = {
  ...MAGAZINE_EXPORT,
  links: [...(MAGAZINE_EXPORT.links ?? []), ...MORPHS],
};

/** The files that the magazine needs for them. */
export async function polymorphicFiles(): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(join(fixtureProject('magazine'), RELATED), 'utf8');
  const related = JSON.parse(text) as { readonly attributes: object };
  const attributes = {
    ...related.attributes,
    subject: { type: 'relation', relation: 'morphToOne' },
    things: { type: 'relation', relation: 'morphToMany' },
  };
  return { [RELATED]: JSON.stringify({ ...related, attributes }) };
}
