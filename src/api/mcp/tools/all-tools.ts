import { CHECK_TOOLS, READ_TOOLS } from './read-tools.js';
import { VERSION_TOOLS } from './publish-tools.js';
import { SCHEMA_TOOLS, TYPE_TOOLS } from './type-tools.js';
import type { Tool } from './tool.js';
import { TRASH_TOOLS } from './trash-tool.js';
import { UPLOAD_TOOLS } from './upload-tool.js';
import { WRITE_TOOLS } from './write-tools.js';

/** All tools. A new one needs a line here, and the same size for every project. */
export const TOOLS: readonly Tool[] = [
  ...TYPE_TOOLS,
  ...READ_TOOLS,
  ...CHECK_TOOLS,
  ...WRITE_TOOLS,
  ...VERSION_TOOLS,
  ...TRASH_TOOLS,
  ...UPLOAD_TOOLS,
  ...SCHEMA_TOOLS,
];
