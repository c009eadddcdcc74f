import { UPLOAD_CONTROLLER } from '../../../access/permissions/actions.js';
import { isGranted } from '../../../access/permissions/authorise.js';
import { createError } from '../../../errors/catalogue.js';
import { parseSentFileInfo } from '../../../media/file-info.js';
import { readFile } from '../../../media/file-records.js';
import { FILE_UID } from '../../../model/content-types/builtin-types.js';
import { defaultSelection } from '../../../query/parse/server-queries.js';
import type { McpCall } from '../mcp-services.js';
import { openFolderFile, openUrl } from '../open-upload.js';
import type { OpenUpload } from '../open-upload.js';
import { DRY_RUN_ARGUMENT } from './targets.js';
import { invalidArgument, textArgument } from './tool.js';
import type { Arguments, Tool, ToolResult } from './tool.js';

const INFO = ['name', 'alternativeText', 'caption'] as const;

const openSource = ({ services, abilities }: McpCall, args: Arguments): Promise<OpenUpload> => {
  const { sizeLimit } = services;
  const { uploadFolder } = abilities;
  const [url, path] = [textArgument(args, 'url'), textArgument(args, 'path')];
  const isByPath = path !== undefined && url === undefined;
  if (isByPath && uploadFolder !== null) return openFolderFile(uploadFolder, path, sizeLimit);
  if (url !== undefined && path === undefined) return openUrl(url, sizeLimit);
  throw invalidArgument('upload', isByPath ? 'path' : 'url', {
    reason: isByPath ? 'is not accepted by a remote server' : 'or path must be sent, but not both',
    remedy:
      uploadFolder === null ? 'Send the url of a file.' : 'Send url, or path for a file of the project.',
  });
};

const store = async (call: McpCall, source: OpenUpload, args: Arguments): Promise<ToolResult> => {
  const { media, model, documents, access } = call.services;
  const info = parseSentFileInfo(model, Object.fromEntries(INFO.map((key) => [key, args[key]])));
  const session = await media.openUploadSession();
  try {
    const { name, type, content, isTruncated } = source;
    await session.receive({ name, type, content, isTruncated });
    if (args['dryRun'] === true) return { body: { plan: `Would upload ${name}.`, nothingChangedYet: true } };
    const [id = 0] = await session.commit([info]);
    const record = await readFile(documents, id, {
      selection: defaultSelection(model, FILE_UID),
      locale: access.locales.defaultCode(),
    });
    return { body: { done: `Uploaded ${name}. Link it by its id: ${id}.`, file: JSON.parse(record) } };
  } finally {
    await session.discard();
  }
};

const upload: Tool = {
  name: 'upload',
  title: 'Upload a file',
  description:
    'Add an image, video or other file to the media library, from a public URL or a path in the project. ' +
    'Returns its id, which media attributes accept.',
  properties: {
    url: { type: 'string', description: 'Public http(s) URL of the file.' },
    path: { type: 'string', description: 'Path in the project; only where the server runs on this machine.' },
    name: { type: 'string', description: 'Name in the media library. Default: that of the file.' },
    alternativeText: { type: 'string', description: 'Description of an image for people who cannot see it.' },
    caption: { type: 'string', description: 'Caption.' },
    dryRun: DRY_RUN_ARGUMENT,
  },
  required: [],
  effect: 'writes',
  run: async (call, args) => {
    if (!isGranted(call.caller.grants, UPLOAD_CONTROLLER, 'upload'))
      throw createError('mcp/forbidden', {
        action: 'upload',
        type: 'files',
        permission: `${UPLOAD_CONTROLLER}.upload`,
      });
    const source = await openSource(call, args);
    try {
      return await store(call, source, args);
    } finally {
      source.content.destroy();
    }
  },
};

export const UPLOAD_TOOLS: readonly Tool[] = [upload];
