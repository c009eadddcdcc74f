import type { Config, ConfigOverrides } from './config.js';
import { findConfigFile } from './find-project-root.js';
import { loadConfigFile } from './load-config-file.js';
import { loadEnvironment } from './load-environment.js';
import { parseConfig } from './parse-config.js';

/**
 * Loads a project's configuration. Flags take precedence over the environment, the environment over the
 * config file, and the file over the defaults. The project's .env is read first, so that the config file may
 * use `process.env`.
 *
 * @example
 *   const config = await loadConfig(root, { port: flags.port });
 *
 * @throws `config/load-failed`, `config/invalid`
 */
export async function loadConfig(root: string, overrides: ConfigOverrides = {}): Promise<Config> {
  const environment = await loadEnvironment(root);
  const file = findConfigFile(root) ?? null;
  const input = file === null ? {} : await loadConfigFile(file);
  return parseConfig({ root, file, input, environment, overrides });
}
