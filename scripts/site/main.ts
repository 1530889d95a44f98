/** `npm run site`: makes a site of the pages, and checks it. `-- --help` lists the options. */
import { buildSite } from './build.ts';
import { checkSite } from './check/check-site.ts';
import { checkNavigation, navigation } from './content/navigation.ts';
import { pages } from './content/pages.ts';
import { ensureInstalled } from './install.ts';
import { readOptions, usage } from './options.ts';
import { serveSite } from './serve.ts';
import { SiteError } from './site-error.ts';

const directory = 'dist/site';

async function run(): Promise<void> {
  const { help, repository, port } = readOptions(process.argv.slice(2));
  if (help) return void process.stdout.write(usage);
  checkNavigation(navigation, pages);
  await ensureInstalled();
  await buildSite({ directory, repository });
  const problems = await checkSite(directory);
  if (problems.length > 0)
    throw new SiteError(`${directory} has wrong links, anchors or images:\n${problems.join('\n')}`);
  process.stdout.write(`${directory}: its links, anchors and images are right\n`);
  if (port === undefined) return;
  const { url } = await serveSite({ directory, port, base: '/' });
  process.stdout.write(`${url}/ until Ctrl-C\n`);
}

run().catch((error: unknown) => {
  if (!(error instanceof SiteError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
