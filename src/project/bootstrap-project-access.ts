import type { AccessContext } from '../access/access.js';
import { bootstrapAccess } from '../access/bootstrap.js';
import { accountSettings } from '../config/account-settings.js';
import type { Config } from '../config/config.js';

/** Creates what a new database of the project starts with: roles, their grants and the default locale. */
export async function bootstrapProjectAccess(
  context: Pick<AccessContext, 'database' | 'model'>,
  config: Config,
): Promise<void> {
  const { defaultLocale, defaultLocaleName } = config.i18n;
  await bootstrapAccess(context, {
    locale: { code: defaultLocale, name: defaultLocaleName },
    grants: accountSettings(config).defaultGrants,
  });
}
