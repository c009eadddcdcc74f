import type { Config, ConfigOverrides } from './config.js';
import { findConfigFile } from './find-project-root.js';
import { loadConfigFile } from './load-config-file.js';
import { loadEnvironment } from './load-environment.js';
import { parseConfig } from './parse-config.js';

/**
 * Loads a project's configuration: flags beat the environment, the environment beats the config file, the file beats the defaults.
 * Reads the .env beside the config file first, so that the file may refer to `process.env`.
 *
 * @example const config = await loadConfig(root, { port: flags.port });
 * @throws `config/broken-file`, `config/invalid`
 */
export async function loadConfig(root: string, overrides: ConfigOverrides = {}): Promise<Config> {
  const environment = await loadEnvironment(root);
  const file = findConfigFile(root) ?? null;
  const input = file === null ? {} : await loadConfigFile(file);
  return parseConfig({ root, file, input, environment, overrides });
}
