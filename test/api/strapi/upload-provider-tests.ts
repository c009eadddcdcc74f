import { beforeAll, describe, expect, it } from 'vitest';
import { FILE_UID } from '../../../src/model/content-types/builtin-types.js';
import type { Strapi } from '../../../src/strapi/strapi.js';
import type { Site } from '../support/site.js';
import { call, createImage, readUploadState, send, uploadOne } from '../media/support/client.js';

const BUCKET = 'node_modules/@strapi/provider-upload-bucket';

/** A package that keeps files in memory, and decides itself about their addresses. */
export const BUCKET_FILES: Readonly<Record<string, string>> = {
  [`${BUCKET}/package.json`]: '{ "name": "@strapi/provider-upload-bucket", "main": "index.js" }',
  [`${BUCKET}/index.js`]: `
    const { PayloadTooLargeError } = require('@strapi/utils').errors;
    const kept = new Map();
    let number = 0;
    module.exports = {
      init: ({ host }) => (strapi.config.set('bucket', kept), {
        checkFileSize: async (file, { sizeLimit }) => {
          if (file.name === 'fat.txt') throw new PayloadTooLargeError('Too fat for ' + (sizeLimit > 0));
        },
        uploadStream: async (file, { folder }) => {
          if (file.name === 'broken.txt') throw new Error('The bucket leaks');
          const chunks = [];
          for await (const chunk of file.stream) chunks.push(chunk);
          const key = folder + '/' + ++number;
          kept.set(key, { name: file.name, mime: file.mime, bytes: Buffer.concat(chunks).length });
          file.url = host + '/' + key + file.ext;
          file.provider_metadata = { key };
        },
        isPrivate: async () => true,
        getSignedUrl: async (file) => ({ url: file.url + '?signed=' + file.provider_metadata.key }),
        delete: async (file) => {
          if (!kept.delete(file.provider_metadata.key)) throw new Error('Not kept: ' + file.hash);
        },
      }),
    };`,
};

interface Part {
  readonly url: string;
  readonly provider_metadata: { readonly key: string };
}

interface StoredFile extends Part {
  readonly id: number;
  readonly provider: string;
  readonly formats: Readonly<Record<string, Part>> | null;
}

/** Tests of a package that keeps files, on the site of a suite that has {@link BUCKET_FILES}. */
export function describeUploadProvider(open: () => { readonly site: Site; readonly strapi: Strapi }): void {
  describe('an upload provider', () => {
    let strapi: Strapi;
    let site: Site;
    beforeAll(() => {
      ({ strapi, site } = open());
    });

    const findRow = async (id: number): Promise<StoredFile> =>
      (await strapi.db.query('plugin::upload.file').findOne({ where: { id } })) as unknown as StoredFile;
    const kept = (): ReadonlyMap<string, { readonly name: string; readonly bytes: number }> =>
      strapi.config.get('bucket') as never;
    const keysOf = ({ provider_metadata, formats }: StoredFile): readonly string[] =>
      [{ provider_metadata }, ...Object.values(formats ?? {})].map((part) => part.provider_metadata.key);

    it('keeps files and formats at its own addresses, until they are replaced or purged', async () => {
      const others = kept().size;
      const content = await createImage(700, 300);
      const { id } = await uploadOne(site, { name: 'sea.png', content });
      const row = await findRow(id);
      const keys = keysOf(row);
      const { url, formats } = row;
      expect(row.provider).toBe('bucket');
      expect(url).toBe(`https://bucket.example/${keys[0]}.png`);
      expect(formats?.['small']?.url).toBe(`https://bucket.example/${keys[2]}.png`);
      expect(keys.map((key) => kept().get(key)?.name)).toEqual([
        'sea.png',
        'thumbnail_sea.png',
        'small_sea.png',
      ]);
      expect(kept().get(keys[0] ?? '')?.bytes).toBe(content.length);

      const file = { name: 'lake.png', content: await createImage(20, 20) };
      expect(await send(site, [file], {}, `?id=${id}`)).toMatchObject({ status: 200 });
      const replaced = await findRow(id);
      expect(replaced.url).not.toBe(url);
      expect([keys.filter((key) => kept().has(key)), keysOf(replaced).length]).toEqual([[], 1]);

      const { trash } = site.server.app.documents;
      const remove = async (): Promise<number> => {
        expect((await call(site, 'DELETE', `/api/upload/files/${id}`)).status).toBe(200);
        const [entry] = await trash.list({ types: [FILE_UID], limit: 1 });
        return entry?.id ?? 0;
      };
      expect(await trash.restore({ id: await remove() })).toMatchObject({ omitted: [] });
      expect(await findRow(id)).toEqual(replaced);
      const entry = await remove();
      await site.server.app.media.sweep();
      expect(kept().size).toBe(others + 1);
      expect(await trash.purge({ ids: [entry] })).toBe(1);
      expect(kept().size).toBe(others);
      expect(await readUploadState(site)).toMatchObject({ files: [], outboxEntries: 0 });
    });

    it('signs the addresses of private files in responses, at any depth', async () => {
      const { id } = await uploadOne(site, { name: 'sea.png', content: await createImage(700, 300) });
      const { url, formats } = await findRow(id);
      const signed = (address: string | undefined) =>
        expect.stringMatching(new RegExp(`^${address}\\?signed=public/\\d+$`)) as string;
      const expected = {
        url: signed(url),
        isUrlSigned: true,
        formats: { small: { url: signed(formats?.['small']?.url) } },
      };
      const article = await call(site, 'POST', '/api/articles?populate=*', {
        data: { title: 'Signed', cover: id },
      });
      expect(article.body).toMatchObject({ data: { cover: expected } });
      const list = await call(site, 'GET', '/api/articles?filters[title]=Signed&populate[cover]=true');
      expect(list.body).toMatchObject({ data: [{ cover: expected }] });
      expect((await call(site, 'GET', `/api/upload/files/${id}`)).body).toMatchObject(expected);
      expect((await call(site, 'GET', '/api/upload/files')).body).toContainEqual(
        expect.objectContaining({ url: expected.url }),
      );
      expect((await findRow(id)).url).toBe(url);
      await call(site, 'DELETE', `/api/upload/files/${id}`);
    });

    it('refuses files, and leaves nothing of a request that it has kept in part', async () => {
      const before = [kept().size, await readUploadState(site)];
      const good = { name: 'good.txt', content: 'good' };
      const fat = await send(site, [good, { name: 'fat.txt', content: 'x' }]);
      expect(fat).toMatchObject({ status: 413, body: { error: { message: 'Too fat for true' } } });
      const broken = await send(site, [good, { name: 'broken.txt', content: 'x' }]);
      expect(broken).toMatchObject({
        status: 503,
        body: { error: { message: expect.stringContaining('storage') as string } },
      });
      expect([kept().size, await readUploadState(site)]).toEqual(before);
    });

    it('is what code finds as the provider of the plugin', async () => {
      const provider = Reflect.get(strapi.plugin('upload'), 'provider') as Record<string, () => unknown>;
      expect([await provider['isPrivate']?.(), Object.keys(provider).includes('uploadStream')]).toEqual([
        true,
        true,
      ]);
    });
  });
}
