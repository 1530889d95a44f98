/**
 * The region that the operator has chosen, as for the AWS CLI: --region, AWS_REGION, AWS_DEFAULT_REGION, or that of the profile. Null if
 * there is none: packaging needs no region, and the plugin scripts/deployment/guard.ts refuses every other command without one.
 */
const {
  loadConfig,
  NODE_REGION_CONFIG_FILE_OPTIONS,
  NODE_REGION_CONFIG_OPTIONS,
} = require('@smithy/core/config');

module.exports = async ({ options }) => {
  const { AWS_REGION, AWS_DEFAULT_REGION, AWS_PROFILE } = process.env;
  const profile = options['aws-profile'] ?? AWS_PROFILE;
  const ofProfile = { ...NODE_REGION_CONFIG_OPTIONS, default: null };
  return (
    options.region ||
    AWS_REGION ||
    AWS_DEFAULT_REGION ||
    (await loadConfig(ofProfile, { ...NODE_REGION_CONFIG_FILE_OPTIONS, ...(profile && { profile }) })())
  );
};
