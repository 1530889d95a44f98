const adapters = ['aws', 'kubernetes', 'etcd-api', 'net'];
const sandboxWorkspace = 'packages/cloud-sandbox';
const sandboxPackage = `${sandboxWorkspace}/src`;
const sandboxName = /^@drover\/cloud-sandbox(\/|$)/;

const room = (path: string): string => path.split('/')[1] ?? '';
const isUnder =
  (...folders: readonly string[]) =>
  (path: string): boolean =>
    folders.some((folder) => path.startsWith(`${folder}/`));

export const isProduct = isUnder('functions', 'shared');
/** The answers of the scale API, for their readers. */
export const isAnswerSchema = isUnder('shared/scale-api/schemas/answers');
export const isRuntime = isUnder('shared/runtime');
export const isFunction = isUnder('functions');
export const isSandbox = isUnder('local', sandboxPackage);
export const isCli = isUnder('cli');
export const isPage = isUnder('ui');
export const isLocal = isUnder('local');
export const isBenchOrScript = isUnder('scripts');
export const isTest = isUnder('test');
/** The dashboard of an account, which the sandbox's has nothing to do with. */
export const isAccountDashboard = isUnder('cli/ui');
export const isSandboxPackage = isUnder(sandboxPackage);
/** The package with its tests, its tools and its table of findings. */
export const isSandboxWorkspace = isUnder(sandboxWorkspace);
/** A file of the repository outside of the package. */
export const isOutsideTheSandbox = isUnder(
  'functions',
  'shared',
  'local',
  'cli',
  'scripts',
  'events',
  'deploy',
  'test',
);
export const isOutsideTheProduct = (target: string): boolean =>
  isUnder('local', 'packages', 'cli', 'test', 'scripts')(target) || sandboxName.test(target);
/** The parts of the sandbox that people, ports and threads meet. */
export const isServer = (path: string): boolean =>
  isUnder('local/dashboard', 'local/real-world', 'local/terminal', 'local/story', 'local/wire')(path) ||
  path.includes('/wire/') ||
  path === 'local/main.ts';

export const isAdapter = (path: string): boolean =>
  path.startsWith('shared/') && adapters.includes(room(path));
/** What every room may import. */
export const isBase = isUnder('shared/base');
/** The HTTP that the adapters share. */
export const isNet = isUnder('shared/net');
export const isCapability = (path: string): boolean =>
  path.startsWith('shared/') && !isAdapter(path) && !isRuntime(path);
export const isSameRoom = (one: string, other: string): boolean => room(one) === room(other);
