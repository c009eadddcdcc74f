import { GraphQLID, GraphQLNonNull, GraphQLObjectType } from 'graphql';
import type { GraphQLFieldConfig } from 'graphql';
import type { ContentModel, ContentType } from '../../model/model.js';
import type { GraphqlContext } from '../graphql-parts.js';
import { resolveMe } from '../resolvers/me.js';
import { deleteFile, updateFile } from '../resolvers/files.js';
import { asks } from '../resolvers/granted.js';
import type { Action, Permission } from '../resolvers/granted.js';
import { addRole, changeRole, deleteRole } from '../resolvers/roles.js';
import { askForReset, confirm, replacePassword, reset, signIn, signUp } from '../resolvers/sign-in.js';
import { addUser, deleteUser, updateUser } from '../resolvers/users.js';
import { resolveService } from '../resolvers/service.js';
import type { RootFields } from './query-fields.js';
import type { TypeBook } from './type-book.js';
import { CREATE_ROLE_PAYLOAD, DELETE_ROLE_PAYLOAD, FILE_INFO_INPUT, LOGIN_INPUT, LOGIN_PAYLOAD, ME, PASSWORD_PAYLOAD, REGISTER_INPUT, requiredText, UPDATE_ROLE_PAYLOAD } from './users-types.js';

type Field = GraphQLFieldConfig<unknown, GraphqlContext>;

const granted = (uid: string) => (action: string): Permission => ({ uid, action });
const auth = granted('plugin::users-permissions.auth');
const user = granted('plugin::users-permissions.user');
const role = granted('plugin::users-permissions.role');
const upload = granted('plugin::upload.content-api');

const id = { type: new GraphQLNonNull(GraphQLID) };

const builtin = (model: ContentModel, uid: string): ContentType => {
  const type = model.typesByUid[uid];
  if (type === undefined) throw new TypeError(`The model lacks the built-in type ${uid}.`);
  return type;
};

/** Queries of the built-in plugins that are not made from a content-type. */
export const PLUGIN_QUERIES: RootFields = { me: { type: ME, resolve: asks(user('me'), resolveMe) } };

const accounts = (): RootFields => ({
  register: { description: 'Register a user', type: new GraphQLNonNull(LOGIN_PAYLOAD), args: { input: { type: new GraphQLNonNull(REGISTER_INPUT) } }, resolve: resolveService(auth('register'), signUp) },
  login: { type: new GraphQLNonNull(LOGIN_PAYLOAD), args: { input: { type: new GraphQLNonNull(LOGIN_INPUT) } }, resolve: resolveService(auth('callback'), signIn) },
  forgotPassword: { description: 'Request a reset password token', type: PASSWORD_PAYLOAD, args: { email: requiredText }, resolve: resolveService(auth('forgotPassword'), askForReset) },
  resetPassword: {
    description: 'Reset user password. Confirm with a code (resetToken from forgotPassword)',
    type: LOGIN_PAYLOAD,
    args: { code: requiredText, password: requiredText, passwordConfirmation: requiredText },
    resolve: resolveService(auth('resetPassword'), reset),
  },
  changePassword: {
    description: 'Change user password. Confirm with the current password.',
    type: LOGIN_PAYLOAD,
    args: { currentPassword: requiredText, password: requiredText, passwordConfirmation: requiredText },
    resolve: resolveService(auth('changePassword'), replacePassword),
  },
  emailConfirmation: { description: 'Confirm an email users email address', type: LOGIN_PAYLOAD, args: { confirmation: requiredText }, resolve: resolveService(auth('emailConfirmation'), confirm) },
});

/** The fields of a built-in type's mutations whose actions are on; none where the type is off. */
const withSwitches = (book: TypeBook, uid: string, fields: (type: ContentType) => Readonly<Partial<Record<Action, RootFields>>>): RootFields => {
  const type = builtin(book.model, uid);
  if (!book.switches.hasHolder(type)) return {};
  const groups = fields(type);
  return Object.assign({}, ...(['create', 'update', 'delete'] as const).filter((action) => book.switches.hasAction(type, action)).map((action) => groups[action])) as RootFields;
};

const users = (book: TypeBook): RootFields => withSwitches(book, 'plugin::users-permissions.user', (type) => {
  const data = { type: new GraphQLNonNull(book.input(type)) };
  const response = new GraphQLNonNull(new GraphQLObjectType({ name: 'UsersPermissionsUserEntityResponse', fields: () => ({ data: { type: book.object(type) } }) }));
  return {
    create: { createUsersPermissionsUser: { description: 'Create a new user', type: response, args: { data }, resolve: resolveService(user('create'), addUser) } },
    update: { updateUsersPermissionsUser: { description: 'Update an existing user', type: response, args: { id, data }, resolve: resolveService(user('update'), updateUser) } },
    delete: { deleteUsersPermissionsUser: { description: 'Delete an existing user', type: response, args: { id }, resolve: resolveService(user('destroy'), deleteUser) } },
  };
});

const roles = (book: TypeBook): RootFields => withSwitches(book, 'plugin::users-permissions.role', (type) => {
  const data = { type: new GraphQLNonNull(book.input(type)) };
  return {
    create: { createUsersPermissionsRole: { description: 'Create a new role', type: CREATE_ROLE_PAYLOAD, args: { data }, resolve: resolveService(role('createRole'), addRole) } },
    update: { updateUsersPermissionsRole: { description: 'Update an existing role', type: UPDATE_ROLE_PAYLOAD, args: { id, data }, resolve: resolveService(role('updateRole'), changeRole) } },
    delete: { deleteUsersPermissionsRole: { description: 'Delete an existing role', type: DELETE_ROLE_PAYLOAD, args: { id }, resolve: resolveService(role('deleteRole'), deleteRole) } },
  };
});

const files = (book: TypeBook): RootFields => withSwitches(book, 'plugin::upload.file', (type) => {
  const file = book.object(type);
  const update: Field = { type: new GraphQLNonNull(file), args: { id, info: { type: FILE_INFO_INPUT } }, resolve: resolveService(upload('upload'), updateFile) };
  return { update: { updateUploadFile: update }, delete: { deleteUploadFile: { type: file, args: { id }, resolve: resolveService(upload('destroy'), deleteFile) } } };
});

/** Mutations of the built-in plugins: signing in, users, roles and files. */
export function pluginMutations(book: TypeBook): RootFields {
  return { ...accounts(), ...users(book), ...roles(book), ...files(book) };
}
