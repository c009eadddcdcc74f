import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { call, errorName, createImage, send, readUploadState, uploadOne } from './support/client.js';

const media = (...allowedTypes: string[]) => ({ type: 'media', multiple: false, allowedTypes });

const schema = (name: string, attributes: object): readonly [string, string] => [
  `src/api/${name}/content-types/${name}/schema.json`,
  JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: true },
    attributes,
  }),
];

const FILES = Object.fromEntries([
  schema('album', {
    name: { type: 'string' },
    sleeve: media('images'),
    tracks: { ...media('audios', 'videos'), multiple: true },
    papers: { ...media('files'), multiple: true },
    anything: media('images', 'videos', 'files', 'audios'),
    unsaid: { type: 'media', multiple: false },
    side: { type: 'component', repeatable: true, component: 'disc.side' },
    extras: { type: 'dynamiczone', components: ['disc.side'] },
  }),
  [
    'src/components/disc/side.json',
    JSON.stringify({
      collectionName: 'components_disc_sides',
      info: { displayName: 'side' },
      attributes: { label: media('images') },
    }),
  ],
]);

/** A WAVE file without sound. */
const WAVE = Buffer.concat([
  Buffer.from(
    'RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x08\0\0\0',
    'latin1',
  ),
  Buffer.alloc(8),
]);

describe.each(databases)('the kinds of files an attribute accepts on $name', (database) => {
  let site: Site;
  let image: number;
  let sound: number;
  let text: number;
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, config: { trash: { days: 0 } }, files: FILES });
    image = (await uploadOne(site, { name: 'i.png', content: await createImage(10, 10) })).id;
    sound = (await uploadOne(site, { name: 's.wav', content: WAVE })).id;
    text = (await uploadOne(site, { name: 't.txt', content: 'text' })).id;
  });
  afterAll(() => site.close());
  afterEach(({ expect: expectHere }) => {
    expectHere(site.log).toEqual([]);
  });

  const write = (data: object, query = '') => call(site, 'POST', `/api/albums${query}`, { data });
  const validationIssues = async (data: object, query = ''): Promise<unknown> => {
    const { status, body } = await write(data, query);
    const { error } = body as {
      error: { name: string; details: { errors?: { path: string[]; message: string }[] } };
    };
    return [status, error.name, error.details.errors?.map(({ path }) => path.join('.'))];
  };
  const documentIdOf = async (id: number): Promise<string> =>
    ((await call(site, 'GET', `/api/upload/files/${id}`)).body as { documentId: string }).documentId;

  it('can be linked', async () => {
    const data = {
      sleeve: image,
      tracks: [sound],
      papers: [text],
      anything: text,
      unsaid: sound,
      side: [{ label: image }],
      extras: [{ __component: 'disc.side', label: { id: image } }],
    };
    const { status, body } = await write(data, '?populate=*');
    expect([status, body]).toMatchObject([
      201,
      {
        data: {
          sleeve: { id: image },
          tracks: [{ id: sound }],
          papers: [{ id: text }],
          anything: { id: text },
          unsaid: { id: sound },
        },
      },
    ]);
  });

  it('exclude others, for any name of the file, also in drafts', async () => {
    const documentId = await documentIdOf(text);
    for (const value of [
      text,
      String(text),
      documentId,
      { id: text },
      { documentId },
      [text],
      { set: [text] },
      { connect: [{ id: text }] },
    ]) {
      expect([value, await validationIssues({ sleeve: value })]).toEqual([
        value,
        [400, 'ValidationError', ['sleeve']],
      ]);
    }
    expect(await validationIssues({ sleeve: sound }, '?status=draft')).toEqual([
      400,
      'ValidationError',
      ['sleeve'],
    ]);
    expect(await validationIssues({ tracks: [sound, image], papers: [sound] })).toEqual([
      400,
      'ValidationError',
      expect.arrayContaining(['tracks', 'papers']),
    ]);
  });

  it('exclude others in components and zones', async () => {
    expect(
      await validationIssues({
        side: [{ label: image }, { label: text }],
        extras: [{ __component: 'disc.side', label: sound }],
      }),
    ).toEqual([400, 'ValidationError', expect.arrayContaining(['side.1.label', 'extras.0.label'])]);
  });

  it('are named in the error', async () => {
    const { body } = await write({ tracks: [text] });
    expect(JSON.stringify(body)).toContain(
      'must be of the kind videos or audios: the file \\"t.txt\\" is of type text/plain',
    );
  });

  it('apply to updates, and a rejected one changes nothing', async () => {
    const { body } = await write({ name: 'Kept', sleeve: image });
    const { documentId } = (body as { data: { documentId: string } }).data;
    expect(
      (await call(site, 'PUT', `/api/albums/${documentId}`, { data: { name: 'Changed', sleeve: text } }))
        .status,
    ).toBe(400);
    for (const status of ['draft', 'published']) {
      expect(
        (await call(site, 'GET', `/api/albums/${documentId}?status=${status}&populate=sleeve`)).body,
      ).toMatchObject({ data: { name: 'Kept', sleeve: { id: image } } });
    }
    expect(
      (await call(site, 'PUT', `/api/albums/${documentId}`, { data: { sleeve: { disconnect: [text] } } }))
        .status,
    ).toBe(200);
  });

  it('apply to uploads with links, and a rejected one keeps nothing', async () => {
    const { body } = await write({ name: 'Uploaded to' });
    const { documentId } = (body as { data: { documentId: string } }).data;
    const before = await readUploadState(site);
    const refused = await send(site, [{ name: 'no.txt', content: 'no picture' }], {
      ref: 'api::album.album',
      refId: documentId,
      field: 'sleeve',
    });
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error: { name: 'ValidationError', details: { errors: [{ path: ['sleeve'] }] } } },
    ]);
    expect(await readUploadState(site)).toEqual(before);
    expect(
      (
        await send(site, [{ name: 'yes.png', content: await createImage(9, 9) }], {
          ref: 'api::album.album',
          refId: documentId,
          field: 'sleeve',
        })
      ).status,
    ).toBe(201);
  });

  it('apply to replacements of content, wherever the file is linked', async () => {
    const replace = async (id: number, name: string, content: Buffer | string): Promise<unknown> => {
      const { status, body } = await send(site, [{ name, content }], {}, `?id=${id}`);
      return [status, errorName(body)];
    };
    const linkInputs: readonly ((file: number) => object)[] = [
      (file) => ({ sleeve: file }),
      (file) => ({ side: [{ label: image }, { label: file }] }),
      (file) => ({ extras: [{ __component: 'disc.side', label: file }] }),
    ];
    for (const linkInput of linkInputs) {
      const { id, url, mime } = await uploadOne(site, {
        name: 'linked.png',
        content: await createImage(8, 8),
      });
      const { body } = await write(linkInput(id), '?status=draft');
      const before = await readUploadState(site);
      expect([linkInput(id), await replace(id, 'words.txt', 'no picture')]).toEqual([
        linkInput(id),
        [400, 'ValidationError'],
      ]);
      expect(await readUploadState(site)).toEqual(before);
      expect((await call(site, 'GET', `/api/upload/files/${id}`)).body).toMatchObject({ url, mime });
      expect(await replace(id, 'other.png', await createImage(7, 7))).toEqual([200, undefined]);
      expect(
        (
          await call(
            site,
            'DELETE',
            `/api/albums/${(body as { data: { documentId: string } }).data.documentId}`,
          )
        ).status,
      ).toBe(204);
      expect(await replace(id, 'words.txt', 'nothing links to it any more')).toEqual([200, undefined]);
    }
    const { id } = await uploadOne(site, { name: 'papers.txt', content: 'text' });
    expect((await write({ papers: [text, id], anything: id })).status).toBe(201);
    expect(await replace(id, 'more.txt', 'more text')).toEqual([200, undefined]);
    expect(await replace(id, 'sound.wav', WAVE)).toEqual([400, 'ValidationError']);
  });

  it('apply over GraphQL', async () => {
    const query = 'mutation($sleeve: ID) { createAlbum(data: { sleeve: $sleeve }) { documentId } }';
    const createAlbum = async (id: number): Promise<unknown> =>
      (await call(site, 'POST', '/graphql', { query, variables: { sleeve: String(id) } })).body;
    expect(await createAlbum(text)).toMatchObject({
      errors: [
        {
          path: ['createAlbum'],
          extensions: { error: { name: 'ValidationError', details: { errors: [{ path: ['sleeve'] }] } } },
        },
      ],
    });
    expect(await createAlbum(image)).toMatchObject({
      data: { createAlbum: { documentId: expect.any(String) as unknown } },
    });
  });
});
