import { listPermissions } from '../../access/permissions/list-permissions.js';
import type { Project } from '../../project/open-project.js';
import type { Config } from '../../config/config.js';
import { FIND_DRAFTS } from '../../query/read-access.js';
import { withAccess } from '../project/with-access.js';
import { ok, warning } from './check.js';
import type { Finding } from './check.js';

/** Warns where a permission to find documents covers their drafts, as in Strapi. */
export function examineDraftSetting({ api }: Config): readonly Finding[] {
  if (!api.findIncludesDrafts) return [];
  return [
    warning(
      'drafts',
      'Whoever may find documents reads their drafts, too: api.findIncludesDrafts is true.',
      'Grant findDrafts to the roles that need it (cms permissions set), then remove api.findIncludesDrafts.',
    ),
  ];
}

/** Names the types whose drafts everybody can read. */
export async function examinePublicDrafts(project: Project): Promise<readonly Finding[]> {
  const { model, config } = project;
  const [role] = await withAccess(project, (access) => listPermissions(access, 'public'));
  const granted = new Set(role?.actions);
  const action = config.api.findIncludesDrafts ? 'find' : FIND_DRAFTS;
  const types = model.types.filter(
    ({ uid, draftAndPublish }) => draftAndPublish && granted.has(`${uid}.${action}`),
  );
  return types.length === 0
    ? [ok('drafts', 'Nobody reads drafts without a credential')]
    : types.map(({ uid }) =>
        warning(
          'drafts',
          `Anybody can read drafts of ${uid} without a credential.`,
          action === 'find'
            ? 'Remove api.findIncludesDrafts from cms.config.'
            : `Run: cms permissions unset public ${uid} ${FIND_DRAFTS}`,
        ),
      );
}
