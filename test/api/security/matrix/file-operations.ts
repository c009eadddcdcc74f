import type { Scenario } from './comparison.js';
import type { Operation } from './plugin-operation.js';

const createFile = async ({ fixture }: Scenario): Promise<number> => {
  const form = new FormData();
  form.append('files', new Blob(['text'], { type: 'text/plain' }), 'gone.txt');
  const response = await fetch(`${fixture.testbed.site.server.url}/api/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.full}` },
    body: form,
  });
  return ((await response.json()) as { id: number }[])[0]?.id ?? 0;
};

export const fileOperations = async (scenario: Scenario): Promise<readonly Operation[]> => {
  const {
    client,
    fixture: { ids },
  } = scenario;
  const [first, second] = [await createFile(scenario), await createFile(scenario)];
  return [
    { what: 'files', kind: 'file', action: 'find', send: () => client.rest('GET', '/api/upload/files') },
    {
      what: 'files by graphql',
      kind: 'file',
      action: 'find',
      send: () =>
        client.graphql('{ done: uploadFiles_connection { nodes { name url } pageInfo { total } } }'),
    },
    {
      what: 'one file',
      kind: 'file',
      action: 'findOne',
      send: () => client.rest('GET', `/api/upload/files/${ids.file}`),
    },
    {
      what: 'one file by graphql',
      kind: 'file',
      action: 'findOne',
      send: () => client.graphql(`{ done: uploadFile(documentId: "${ids.fileDocument}") { name } }`),
    },
    {
      what: 'upload what is no form',
      kind: 'file',
      action: 'upload',
      send: () => client.rest('POST', '/api/upload', {}),
      expected: 'invalid',
    },
    {
      what: 'describe a file by graphql',
      kind: 'file',
      action: 'upload',
      send: () =>
        client.graphql(
          `mutation { done: updateUploadFile(id: ${ids.file}, info: { caption: "seen" }) { caption } }`,
        ),
    },
    {
      what: 'remove a file',
      kind: 'file',
      action: 'destroy',
      send: () => client.rest('DELETE', `/api/upload/files/${first}`),
    },
    {
      what: 'remove a file by graphql',
      kind: 'file',
      action: 'destroy',
      send: () => client.graphql(`mutation { done: deleteUploadFile(id: ${second}) { name } }`),
    },
    {
      what: 'languages',
      kind: 'locale',
      action: 'listLocales',
      send: () => client.rest('GET', '/api/i18n/locales'),
    },
    {
      what: 'languages by graphql',
      kind: 'locale',
      action: 'listLocales',
      send: () => client.graphql('{ done: i18NLocales { code } }'),
    },
  ];
};
