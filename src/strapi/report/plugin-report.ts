import { join, sep } from 'node:path';
import { byCodePoint } from '../../lib/text.js';
import { isRecord } from '../../lib/records.js';
import type { CodeFile } from '../code/project-code.js';
import { BUILT_IN_PLUGINS, listPlugins } from '../plugins/find-plugins.js';
import type { ListedPlugin, PluginState } from '../plugins/find-plugins.js';
import { readPackageFile } from '../configuration.js';
import { codeFilesIn } from '../code/source-files.js';

/** A plugin that package.json or config/plugins names, with its state. */
export interface PluginReport {
  readonly name: string;
  readonly state: PluginState;
  readonly reason: string;
}

type Declarations = Readonly<Record<string, unknown>>;

/** Returns the names of all packages that package.json lists. */
export function dependenciesOf(root: string): readonly string[] {
  const { dependencies, devDependencies } = readPackageFile(root);
  return [dependencies, devDependencies].flatMap((all) => (isRecord(all) ? Object.keys(all) : []));
}

const isBelow = (folder: string, file: string): boolean => file.startsWith(folder + sep);

const isAdminFile = (folder: string, file: string): boolean => isBelow(join(folder, 'admin'), file);

/** The plugins of a project and their effect on its files of server code. */
export interface PluginFiles {
  readonly plugins: readonly PluginReport[];
  /** The files of the project where the running plugins start. */
  readonly entries: readonly string[];
  /** Returns the reason why a file does not run. Undefined if no plugin prevents it. */
  readonly idleReason: (file: string) => string | undefined;
}

/** Returns the files where a plugin starts. A compiled plugin runs from dist/, so all its sources count. */
const entriesOf = (plugin: ListedPlugin & { readonly file: string; readonly folder: string }) =>
  isBelow(join(plugin.folder, 'dist'), plugin.file)
    ? codeFilesIn(plugin.folder).filter((file) => !isAdminFile(plugin.folder, file))
    : [plugin.file];

/** Reports the plugins of a project. `declarations` are the values of config/plugins. */
export function reportPlugins(
  root: string,
  declarations: Declarations,
  extensions: readonly CodeFile[],
): PluginFiles {
  const listed = listPlugins(root, declarations);
  const source = join(root, 'src');
  const running = listed.flatMap(({ state, file, folder, ...plugin }) =>
    state === 'runs' && file !== null && folder !== null ? [{ ...plugin, state, file, folder }] : [],
  );
  const isAvailable = (name: string): boolean =>
    listed.some((plugin) => plugin.name === name && (plugin.state === 'runs' || plugin.state === 'built-in'));
  const idleExtensions = new Map(
    extensions
      .filter(({ name }) => !BUILT_IN_PLUGINS.has(name) && !isAvailable(name))
      .map(({ file, name }) => [file, name]),
  );
  return {
    plugins: listed
      .map(({ name, state, reason }) => ({ name, state, reason }))
      .toSorted((left, right) => byCodePoint(left.name, right.name)),
    entries: running.filter(({ folder }) => isBelow(source, folder)).flatMap(entriesOf),
    idleReason: (file) => {
      const extended = idleExtensions.get(file);
      if (extended !== undefined) return `there is no plugin ${extended} that runs`;
      const plugin = listed.find(
        ({ folder, state }) => folder !== null && state !== 'runs' && isBelow(folder, file),
      );
      return plugin === undefined ? undefined : `the plugin ${plugin.name} does not run: ${plugin.reason}`;
    },
  };
}
