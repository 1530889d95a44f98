/**
 * The README of a release: the part of docs/deployment.md about releases, with the version in its commands. Pure.
 *
 * @throws Error where docs/deployment.md has no such part.
 */
export function releaseReadme(deployment: string, version: string): string {
  const [, part] = /^## Install without Node\.js\n([^]*?)^## /m.exec(deployment) ?? [];
  if (part === undefined) throw new Error('docs/deployment.md has no part `## Install without Node.js`');
  return [
    `# Drover ${version}\n`,
    'A path such as `docs/operating.md` or `deploy/rbac.yaml` in these files is one of the repository of Drover.\n',
    `## Install\n${withoutLinks(part).replaceAll('drover-VERSION', `drover-${version}`).trimEnd()}\n`,
  ].join('\n');
}

/** The text without its links to files of the repository, which a release does not contain: their words stay. Pure. */
export const withoutLinks = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1');
