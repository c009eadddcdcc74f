import { createError } from '../../../errors/catalogue.js';
import type { McpCall } from '../mcp-services.js';
import {
  DRY_RUN_ARGUMENT,
  TYPE_ARGUMENT,
  assertPermitted,
  invalidArgument,
  rightsOf,
  typeNamed,
} from './tool.js';
import type { Arguments, Tool, ToolResult } from './tool.js';

const MAX_LISTED = 100;

const list = async (call: McpCall, args: Arguments): Promise<ToolResult> => {
  const type = typeNamed(call, String(args['type']));
  assertPermitted(call, type, 'findDeleted');
  const { trash } = call.services.documents;
  const entries = await trash.list({ types: [type.uid], limit: MAX_LISTED }, rightsOf(call));
  return { body: { entries } };
};

const entryOf = (args: Arguments): number => {
  const { entry } = args;
  if (typeof entry === 'number') return entry;
  throw invalidArgument('trash', 'entry', { reason: 'is missing', remedy: 'Send an id of the list.' });
};

const found = <T>(id: number, value: T | null): T => {
  if (value === null) throw createError('trash/unknown', { id });
  return value;
};

const show = async (call: McpCall, args: Arguments): Promise<ToolResult> => {
  const type = typeNamed(call, String(args['type']));
  assertPermitted(call, type, 'findDeleted');
  const id = entryOf(args);
  const { trash } = call.services.documents;
  return { body: { ...found(id, await trash.find({ id, type: type.uid }, rightsOf(call))) } };
};

const restore = async (call: McpCall, args: Arguments): Promise<ToolResult> => {
  const type = typeNamed(call, String(args['type']));
  assertPermitted(call, type, 'restoreDeleted');
  const id = entryOf(args);
  const { documents, dryRun } = call.services;
  const entry = { id, type: type.uid };
  const isDryRun = args['dryRun'] === true;
  const rights = rightsOf(call);
  const restored = await (isDryRun
    ? dryRun((dry) => dry.trash.restore(entry, rights))
    : documents.trash.restore(entry, rights));
  return { body: { ...found(id, restored), ...(isDryRun ? { nothingChangedYet: true } : {}) } };
};

const trash: Tool = {
  name: 'trash',
  title: 'List and restore deleted documents',
  description: 'List deleted documents of a type, show one, or restore one with its links.',
  properties: {
    type: TYPE_ARGUMENT,
    action: { type: 'string', enum: ['list', 'show', 'restore'], description: 'Default: list.' },
    entry: { type: 'integer', minimum: 1, description: 'Id from the list.' },
    dryRun: DRY_RUN_ARGUMENT,
  },
  required: ['type'],
  effect: 'writes',
  run: (call, args) => {
    const { action = 'list' } = args;
    if (action === 'restore') return restore(call, args);
    return action === 'show' ? show(call, args) : list(call, args);
  },
};

export const TRASH_TOOLS: readonly Tool[] = [trash];
