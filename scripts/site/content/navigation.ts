import { SiteError } from '../site-error.ts';
import { addressBetween, outputOf, pages, titleOf } from './pages.ts';

export interface NavigationEntry {
  readonly page: string;
  /** Shown once the reader is at the entry. */
  readonly below: readonly string[];
}

export interface NavigationSection {
  readonly title: string;
  readonly entries: readonly NavigationEntry[];
}

const entry = (page: string, below: readonly string[] = []): NavigationEntry => ({ page, below });
/** The other pages of the folder of a README, also of those in it. */
const folder = (readme: string): NavigationEntry => {
  const path = readme.replace(/README\.md$/, '');
  return entry(
    readme,
    pages.filter((page) => page !== readme && page.startsWith(path)),
  );
};
const docs = (...names: readonly string[]): readonly NavigationEntry[] =>
  names.map((name) => entry(`docs/${name}.md`));

/** The pages in the order in which an operator needs them. The titles are those of the pages. */
export const navigation: readonly NavigationSection[] = [
  {
    title: 'Try it',
    entries: [
      entry('README.md'),
      ...docs('sandbox', 'coming-from', 'dashboard', 'transcripts/terminate'),
      ...docs('quick-start/eks', 'quick-start/kubeadm', 'quick-start/openshift'),
      folder('examples/README.md'),
    ],
  },
  {
    title: 'Deploy it',
    entries: docs(
      'deployment',
      'trial',
      'networking',
      'group-layout',
      'user-data',
      'openshift-3.11',
      'removing',
    ),
  },
  { title: 'Secure it', entries: docs('SECURITY', 'threat-model', 'hardening') },
  {
    title: 'Run it',
    entries: docs(
      'operating',
      'notifications',
      'reports',
      'adopt',
      'migrate-nth',
      'joining',
      'capacity',
      'room-for-pods',
      'holds-for-pods',
      'declared',
      'rolling',
      'bootstrap-credentials',
      'certificates',
      'identity',
      'etcd',
      'etcd-certificates',
    ),
  },
  {
    title: 'Look it up',
    entries: [...docs('cli', 'scale-api', 'troubleshooting', 'glossary'), entry('CHANGELOG.md')],
  },
  {
    title: 'Understand it',
    entries: docs('comparison', 'beside-other-tools', 'workloads', 'performance', 'compatibility', 'truth'),
  },
  {
    title: 'Develop it',
    entries: [
      entry('docs/CONTRIBUTING.md'),
      ...docs('development/rooms', 'development/commands', 'development/site', 'first-hour-in-an-account'),
      folder('docs/adr/README.md'),
      folder('packages/cloud-sandbox/README.md'),
    ],
  },
];

/** What is wrong with a navigation: pages that it lacks, repeats or names in vain. */
export function navigationProblems(
  sections: readonly NavigationSection[],
  existing: readonly string[],
): readonly string[] {
  const named = sections.flatMap(({ entries }) => entries.flatMap(({ page, below }) => [page, ...below]));
  return [
    ...existing.filter((page) => !named.includes(page)).map((page) => `${page} is not in the navigation`),
    ...named.filter((page) => !existing.includes(page)).map((page) => `${page} is named, and does not exist`),
    ...named.filter((page, index) => named.indexOf(page) < index).map((page) => `${page} is named twice`),
  ];
}

/** @throws SiteError with all problems of a navigation, and the file in which to fix them. */
export function checkNavigation(sections: readonly NavigationSection[], existing: readonly string[]): void {
  const problems = navigationProblems(sections, existing);
  if (problems.length > 0)
    throw new SiteError(
      `the navigation in scripts/site/content/navigation.ts is wrong:\n${problems.join('\n')}`,
    );
}

/** The navigation as the template prints it on a page. */
export function navigationFor(current: string) {
  const linkTo = (page: string) => ({
    title: titleOf(page),
    address: addressBetween(current, outputOf(page)),
    isCurrent: page === current,
  });
  return navigation.map(({ title, entries }) => ({
    title,
    entries: entries.map(({ page, below }) => ({
      ...linkTo(page),
      below: page === current || below.includes(current) ? below.map(linkTo) : [],
    })),
  }));
}

/** Where a page is: the way from the first page to it, which the page itself ends. */
export function trailOf(current: string) {
  const section = navigation.find(({ entries }) =>
    entries.some(({ page, below }) => page === current || below.includes(current)),
  );
  const parent = section?.entries.find(({ below }) => below.includes(current))?.page;
  return {
    section: current === 'README.md' ? undefined : section?.title,
    parent:
      parent === undefined
        ? undefined
        : { title: titleOf(parent), address: addressBetween(current, outputOf(parent)) },
  };
}
