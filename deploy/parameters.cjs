/**
 * The parameters of a stage: deploy/stages/STAGE.yml over deploy/stages/default.yml. A stage without a file, without a cluster or with an
 * unknown parameter is refused, because a default in its place would deploy another cluster, network or mode.
 */
const { existsSync, readFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { parse } = require('yaml');

const fileOf = (stage) => join(__dirname, 'stages', `${stage}.yml`);

/** osls prints an error's stack, and here the message alone helps. */
const refusal = (message) => Object.assign(new Error(message), { stack: message });

function parametersOf(stage) {
  const file = fileOf(stage);
  if (!existsSync(file))
    throw refusal(
      `Stage ${stage} has no parameters. Write them into ${relative(process.cwd(), file)} and commit it; it names at least the cluster:\n\n` +
        '  cluster: NAME\n',
    );
  return parse(readFileSync(file, 'utf8')) ?? {};
}

module.exports = async ({ options, resolveVariable }) => {
  const stage = await resolveVariable('sls:stage');
  const defaults = parametersOf('default');
  const own = parametersOf(stage);
  const given = (options.param ?? []).map((parameter) => parameter.split('=')[0]);
  const unknown = [...Object.keys(own), ...given].filter((name) => !Object.hasOwn(defaults, name));
  if (unknown.length > 0)
    throw refusal(`There is no parameter ${unknown.join(', ')}: see deploy/stages/default.yml`);
  if (!own.cluster) throw refusal(`deploy/stages/${stage}.yml names no cluster`);
  return { default: { ...defaults, ...own } };
};
