/** `npm run package [-- --stage STAGE --param NAME=VALUE ...]`: bundles, zips and the CloudFormation template, offline. */
import { PackagingError, packageDeployment } from './build/package-deployment.ts';
import { sizeTable } from './build/size-table.ts';

try {
  process.stdout.write(`${sizeTable(await packageDeployment(process.argv.slice(2)))}\n`);
  process.stdout.write('The template is .serverless/cloudformation-template-update-stack.json\n');
} catch (error) {
  if (!(error instanceof PackagingError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
