import { isAbsolute } from 'node:path';

/**
 * The home of the user: an absolute path. One without HOME and without an entry in /etc/passwd, as OpenShift gives to containers, or with an empty HOME, has the
 * home that container runtimes give him, the root. The SDK then looks there, too.
 */
export function homeOf(environment: NodeJS.ProcessEnv, find: () => string): string {
  const home = foundBy(find);
  if (isAbsolute(home)) return home;
  environment['HOME'] = '/';
  return '/';
}

function foundBy(find: () => string): string {
  try {
    return find();
  } catch {
    return '';
  }
}
