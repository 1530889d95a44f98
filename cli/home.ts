import { isAbsolute } from 'node:path';

/**
 * The home of the user: an absolute path. A user without HOME and without an entry in /etc/passwd, as in containers of OpenShift, or with an empty or relative
 * HOME, has the home that container runtimes give to such a user: the root. HOME of `environment` is then set to it, because the SDK reads HOME itself.
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
