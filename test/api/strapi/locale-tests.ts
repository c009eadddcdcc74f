import { beforeAll, describe, expect, it } from 'vitest';
import type { Strapi } from '../../../src/strapi/strapi.js';
import type { Site } from '../support/site.js';

const LOCALE = 'plugin::i18n.locale';

/** Tests of what code reads and writes of locales. */
export function describeLocales(open: () => { readonly site: Site; readonly strapi: Strapi }): void {
  describe('locales', () => {
    let strapi: Strapi;
    let site: Site;
    beforeAll(() => {
      ({ strapi, site } = open());
    });

    const codesOfSite = async (): Promise<readonly string[]> => {
      const authorization = `Bearer ${site.tokens['full']}`;
      const response = await fetch(`${site.server.url}/api/i18n/locales`, { headers: { authorization } });
      return ((await response.json()) as { readonly code: string }[]).map(({ code }) => code);
    };
    const codes = (rows: readonly object[]): readonly unknown[] =>
      rows.map((row) => Reflect.get(row, 'code'));

    it('are rows, documents and entities', async () => {
      const rows = strapi.db.query(LOCALE);
      const documents = strapi.documents(LOCALE);
      const before = await codesOfSite();
      const italian = await rows.create({ data: { code: 'it', name: 'Italian' } });
      expect(italian).toMatchObject({ code: 'it', name: 'Italian', locale: null });
      await documents.create({ data: { code: 'sv' } });
      expect(await codesOfSite()).toEqual([...before, 'it', 'sv']);

      const swedish = await rows.findOne({ where: { code: 'sv' } });
      expect(swedish?.['name']).toBe('Swedish (sv)');
      expect(
        codes(await rows.findMany({ where: { code: { $in: ['sv', 'it'] } }, orderBy: { code: 'desc' } })),
      ).toEqual(['sv', 'it']);
      expect(codes(await documents.findMany({ sort: 'code:desc', limit: 1 }))).toEqual(['sv']);
      expect(
        await rows.findMany({ where: { $or: [{ name: { $containsi: 'ITAL' } }] }, select: ['code'] }),
      ).toEqual([{ id: italian.id, documentId: italian.documentId, code: 'it' }]);
      expect([await rows.count({ where: { $not: { code: 'it' } } }), await documents.count({})]).toEqual([
        before.length + 1,
        before.length + 2,
      ]);
      expect(await strapi.entityService.findOne(LOCALE, italian.id)).toMatchObject({ code: 'it' });

      await strapi.entityService.update(LOCALE, italian.id, { data: { name: 'Italiano' } });
      expect(await documents.findOne({ documentId: italian.documentId })).toMatchObject({
        name: 'Italiano',
      });
      await expect(rows.update({ where: { code: 'it' }, data: { code: 'de' } })).rejects.toThrow(
        "strapi.db.query('plugin::i18n.locale').update: the code of a locale cannot change",
      );
      await expect(rows.findMany({ where: { age: 3 } })).rejects.toThrow('such rows have no age');
      await expect(rows.delete({ where: { code: 'en' } })).rejects.toThrow('default');

      expect(await rows.delete({ where: { code: 'it' } })).toMatchObject({ code: 'it' });
      const { entries } = await documents.delete({ documentId: String(swedish?.documentId) });
      expect(codes(entries)).toEqual(['sv']);
      expect(await codesOfSite()).toEqual(before);
    });

    it('are kept while there is content in them', async () => {
      const rows = strapi.db.query(LOCALE);
      await rows.create({ data: { code: 'nl' } });
      const story = { title: 'Zee' };
      const { documentId } = await strapi.documents('api::story.story').create({ data: story, locale: 'nl' });
      await expect(rows.delete({ where: { code: 'nl' } })).rejects.toThrow('api::story.story');
      await strapi.documents('api::story.story').delete({ documentId, locale: '*' });
      expect(await rows.delete({ where: { code: 'nl' } })).toMatchObject({ code: 'nl' });
    });
  });
}
