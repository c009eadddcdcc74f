import type { Uid } from '../../../model/model.js';

const NO_ADMIN = 'There is no admin panel. Tokens, roles and users are managed by commands: cms --help';
const NO_FOLDERS = 'The media library has no folders; leave the folder of a file out.';
const NO_RELEASES = 'Plan publications with cms content publish --at.';
const NO_WORKFLOWS = 'There are no review workflows.';

/** Types of Strapi that have no rows here, with the way to do without. */
export const EMPTY_TYPES: Readonly<Record<Uid, string>> = {
  'admin::user': NO_ADMIN,
  'admin::role': NO_ADMIN,
  'admin::permission': NO_ADMIN,
  'admin::session': NO_ADMIN,
  'admin::audit-log': NO_ADMIN,
  'admin::api-token': 'API tokens are managed by commands: cms token --help',
  'admin::api-token-permission': 'API tokens are managed by commands: cms token --help',
  'admin::transfer-token': NO_ADMIN,
  'admin::transfer-token-permission': NO_ADMIN,
  'plugin::upload.folder': NO_FOLDERS,
  'plugin::content-releases.release': NO_RELEASES,
  'plugin::content-releases.release-action': NO_RELEASES,
  'plugin::review-workflows.workflow': NO_WORKFLOWS,
  'plugin::review-workflows.workflow-stage': NO_WORKFLOWS,
  'strapi::history-version': 'Published versions are read by cms content history.',
};
