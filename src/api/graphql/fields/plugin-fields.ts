import { GraphQLNonNull, GraphQLObjectType } from 'graphql';
import type { GraphQLFieldConfig } from 'graphql';
import { AUTH_CONTROLLER, UPLOAD_CONTROLLER } from '../../../access/permissions/actions.js';
import type { DocumentAction, Permission } from '../../../access/permissions/actions.js';
import { createError } from '../../../errors/catalogue.js';
import { parseSentFileInfo } from '../../../media/file-info.js';
import { findFileId, readFile, removeFileRecord } from '../../../media/file-records.js';
import type { FileReadOptions } from '../../../media/file-records.js';
import { FILE_UID, ROLE_UID, USER_UID } from '../../../model/content-types/builtin-types.js';
import { isDisabled, typeOf } from '../../../model/lookup.js';
import type { ContentModel, ContentType } from '../../../model/model.js';
import type { RootFields } from './query-fields.js';
import type { GraphqlContext } from '../graphql-context.js';
import {
  completePasswordReset,
  confirmEmailAddress,
  requestPasswordReset,
  resolveMe,
  signIn,
  signUp,
  updatePassword,
  addRole,
  addUser,
  changeRole,
  deleteRole,
  deleteUser,
  updateUser,
} from './account-resolvers.js';
import { createAuthorisedResolver, parseRecord } from './root-field.js';
import type { AuthorisedCall } from './root-field.js';
import { planRootSelection } from '../selection/plan-read.js';
import {
  CREATE_ROLE_PAYLOAD,
  DELETE_ROLE_PAYLOAD,
  FILE_INFO_INPUT,
  LOGIN_INPUT,
  LOGIN_PAYLOAD,
  ME,
  PASSWORD_PAYLOAD,
  REGISTER_INPUT,
  UPDATE_ROLE_PAYLOAD,
  requiredText,
  requiredId,
} from '../schema/fixed-types.js';
import type { TypeRegistry } from '../schema/type-registry.js';

/** Returns the options that read the selected fields of a file. */
const readOptionsOf = ({ context, info }: AuthorisedCall): FileReadOptions => ({
  selection: planRootSelection({
    context,
    info,
    type: typeOf(context.dependencies.model, FILE_UID),
    action: 'find',
    recordsField: null,
  }),
  locale: context.dependencies.access.locales.defaultCode(),
});

/** Resolves `updateUploadFile` to the updated file. Throws `request/not-found`. */
async function updateFile(call: AuthorisedCall): Promise<unknown> {
  const { media, model, documents } = call.context.dependencies;
  const id = await findFileId(documents, call.args['id']);
  const isUpdated = await media.updateInfo(id, parseSentFileInfo(model, call.args['info'] ?? null));
  if (!isUpdated) throw createError('request/not-found');
  return parseRecord(await readFile(documents, id, readOptionsOf(call)));
}

/** Resolves `deleteUploadFile` to the record of the deleted file. Throws `request/not-found`. */
async function deleteFile(call: AuthorisedCall): Promise<unknown> {
  const { dependencies } = call.context;
  const id = await findFileId(dependencies.documents, call.args['id']);
  return parseRecord(await removeFileRecord(dependencies, id, readOptionsOf(call)));
}

type Field = GraphQLFieldConfig<unknown, GraphqlContext>;

const permissionFactory =
  (uid: string) =>
  (action: string): Permission => ({ uid, action });
const authPermission = permissionFactory(AUTH_CONTROLLER);
const userPermission = permissionFactory(USER_UID);
const rolePermission = permissionFactory(ROLE_UID);
const uploadPermission = permissionFactory(UPLOAD_CONTROLLER);

/** Builds the queries of the built-in plugins that are not generated from a content-type. */
export function pluginQueries(model: ContentModel): RootFields {
  if (isDisabled(model, USER_UID)) return {};
  return { me: { type: ME, ...createAuthorisedResolver(userPermission('me'), resolveMe) } };
}

const accountMutations = (): RootFields => ({
  register: {
    description: 'Register a user',
    type: new GraphQLNonNull(LOGIN_PAYLOAD),
    args: { input: { type: new GraphQLNonNull(REGISTER_INPUT) } },
    ...createAuthorisedResolver(authPermission('register'), signUp),
  },
  login: {
    type: new GraphQLNonNull(LOGIN_PAYLOAD),
    args: { input: { type: new GraphQLNonNull(LOGIN_INPUT) } },
    ...createAuthorisedResolver(authPermission('callback'), signIn),
  },
  forgotPassword: {
    description: 'Request a reset password token',
    type: PASSWORD_PAYLOAD,
    args: { email: requiredText },
    ...createAuthorisedResolver(authPermission('forgotPassword'), requestPasswordReset),
  },
  resetPassword: {
    description: 'Reset user password. Confirm with a code (resetToken from forgotPassword)',
    type: LOGIN_PAYLOAD,
    args: { code: requiredText, password: requiredText, passwordConfirmation: requiredText },
    ...createAuthorisedResolver(authPermission('resetPassword'), completePasswordReset),
  },
  changePassword: {
    description: 'Change user password. Confirm with the current password.',
    type: LOGIN_PAYLOAD,
    args: { currentPassword: requiredText, password: requiredText, passwordConfirmation: requiredText },
    ...createAuthorisedResolver(authPermission('changePassword'), updatePassword),
  },
  emailConfirmation: {
    description: 'Confirm an email users email address',
    type: LOGIN_PAYLOAD,
    args: { confirmation: requiredText },
    ...createAuthorisedResolver(authPermission('emailConfirmation'), confirmEmailAddress),
  },
});

/** Returns the mutations of a built-in type whose actions are enabled; none if the type is disabled. */
const enabledMutations = (
  registry: TypeRegistry,
  uid: string,
  fields: (type: ContentType) => Readonly<Partial<Record<DocumentAction, RootFields>>>,
): RootFields => {
  const type = typeOf(registry.model, uid);
  if (!registry.switches.hasType(type)) return {};
  const groups = fields(type);
  return Object.assign(
    {},
    ...(['create', 'update', 'delete'] as const)
      .filter((action) => registry.switches.hasAction(type, action))
      .map((action) => groups[action]),
  ) as RootFields;
};

const userMutations = (registry: TypeRegistry): RootFields =>
  enabledMutations(registry, USER_UID, (type) => {
    const data = { type: new GraphQLNonNull(registry.input(type)) };
    const response = new GraphQLNonNull(
      new GraphQLObjectType({
        name: 'UsersPermissionsUserEntityResponse',
        fields: () => ({ data: { type: registry.object(type) } }),
      }),
    );
    return {
      create: {
        createUsersPermissionsUser: {
          description: 'Create a new user',
          type: response,
          args: { data },
          ...createAuthorisedResolver(userPermission('create'), addUser),
        },
      },
      update: {
        updateUsersPermissionsUser: {
          description: 'Update an existing user',
          type: response,
          args: { id: requiredId, data },
          ...createAuthorisedResolver(userPermission('update'), updateUser),
        },
      },
      delete: {
        deleteUsersPermissionsUser: {
          description: 'Delete an existing user',
          type: response,
          args: { id: requiredId },
          ...createAuthorisedResolver(userPermission('destroy'), deleteUser),
        },
      },
    };
  });

const roleMutations = (registry: TypeRegistry): RootFields =>
  enabledMutations(registry, ROLE_UID, (type) => {
    const data = { type: new GraphQLNonNull(registry.input(type)) };
    return {
      create: {
        createUsersPermissionsRole: {
          description: 'Create a new role',
          type: CREATE_ROLE_PAYLOAD,
          args: { data },
          ...createAuthorisedResolver(rolePermission('createRole'), addRole),
        },
      },
      update: {
        updateUsersPermissionsRole: {
          description: 'Update an existing role',
          type: UPDATE_ROLE_PAYLOAD,
          args: { id: requiredId, data },
          ...createAuthorisedResolver(rolePermission('updateRole'), changeRole),
        },
      },
      delete: {
        deleteUsersPermissionsRole: {
          description: 'Delete an existing role',
          type: DELETE_ROLE_PAYLOAD,
          args: { id: requiredId },
          ...createAuthorisedResolver(rolePermission('deleteRole'), deleteRole),
        },
      },
    };
  });

const fileMutations = (registry: TypeRegistry): RootFields =>
  enabledMutations(registry, FILE_UID, (type) => {
    const file = registry.object(type);
    const update: Field = {
      type: new GraphQLNonNull(file),
      args: { id: requiredId, info: { type: FILE_INFO_INPUT } },
      ...createAuthorisedResolver(uploadPermission('upload'), updateFile),
    };
    return {
      update: { updateUploadFile: update },
      delete: {
        deleteUploadFile: {
          type: file,
          args: { id: requiredId },
          ...createAuthorisedResolver(uploadPermission('destroy'), deleteFile),
        },
      },
    };
  });

/** Builds the mutations of the built-in plugins: authentication, users, roles and files. */
export function pluginMutations(registry: TypeRegistry): RootFields {
  return {
    ...(isDisabled(registry.model, USER_UID) ? {} : accountMutations()),
    ...userMutations(registry),
    ...roleMutations(registry),
    ...fileMutations(registry),
  };
}
