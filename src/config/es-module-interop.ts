import { join } from 'node:path';
import { types } from 'node:util';
import { createJiti } from 'jiti';
import type { JitiOptions } from 'jiti';
import { isRecord } from '../lib/is-record.js';

type Import = (id: string) => Promise<unknown>;

/**
 * A namespace of Node in the form that compiled code takes for one: that of a CommonJS module is in its
 * default.
 */
const asRequired = (loaded: unknown): unknown => {
  if (!types.isModuleNamespaceObject(loaded) || !isRecord(loaded)) return loaded;
  if ('__esModule' in loaded) return loaded['default'];
  return Object.defineProperty({ ...loaded }, '__esModule', { value: true });
};

const MODULE_NAME = 'galley:import';

/** `import()` becomes calls of the parameter `jitiImport`. A directive stays first. */
const withImport = (code: string): string =>
  code.includes('jitiImport(')
    ? code.replace(/^(?:(["'])use strict\1;)?/, `$&jitiImport = require('${MODULE_NAME}').wrap(jitiImport);`)
    : code;

/**
 * Options of jiti with which imports become what TypeScript compiles them to with `esModuleInterop`: calls of
 * `require`, whose results are the default import of modules that are not marked by `__esModule`. jiti's own
 * interop guesses by a property called `default`.
 */
export function esModuleInterop(
  root: string,
): Pick<JitiOptions, 'fsCache' | 'interopDefault' | 'transform' | 'virtualModules'> {
  const { transform } = createJiti(join(root, 'package.json'));
  return {
    // `transform` keeps what it compiles, under other names.
    fsCache: false,
    interopDefault: false,
    transform: (options) => ({ code: withImport(transform({ ...options, interopDefault: true })) }),
    virtualModules: {
      [MODULE_NAME]: {
        wrap:
          (load: Import): Import =>
          async (id) =>
            asRequired(await load(id)),
      },
    },
  };
}
