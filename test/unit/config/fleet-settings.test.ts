import { expect } from 'chai';

import { parseFleetSettings } from '../../../src/config/fleet-settings.ts';

const context = { file: 'fleetwright.yaml', baseDir: '/etc/fleet', homeDir: '/home/eva' };

function fleet(spec: string): string {
  return `apiVersion: fleetwright.dev/v1alpha1\nkind: Fleet\nmetadata: {name: acme}\nspec:\n${spec.replace(/^/gm, '  ')}\n`;
}

function faultsOf(text: string): string[] {
  const parsed = parseFleetSettings(text, context);
  return parsed.ok ? [] : parsed.faults.map((fault) => fault.describe());
}

describe('parseFleetSettings', () => {
  it('fills in every default', () => {
    const parsed = parseFleetSettings(fleet('source: {url: "https://git.example/fleet.git"}'), context);
    expect(parsed).to.deep.equal({
      ok: true,
      warnings: ['The settings name no clusters.'],
      value: {
        name: 'acme',
        source: { url: 'https://git.example/fleet.git', ref: 'main', path: '', intervalMs: 30_000 },
        clusters: [],
        inlineClusters: [],
        sync: { drift: 'correct', prune: true, pruneLimit: { count: 25, percent: 20, minimum: 5 } },
        labelGraceMs: 300_000,
        server: { host: '127.0.0.1', port: 8080 },
        stateDir: '/etc/fleet/.fleetwright',
        tools: {},
      },
    });
  });

  it('resolves paths, durations and clusters of its own', () => {
    const text = `${fleet(`source: {url: ../repo, ref: v1, path: ./fleets//acme/, schedule: "*/5 * * * *", interval: 1h30m, auth: {username: bot, tokenFile: ~/token}}
clusters: [{kubeconfig: {path: ~/.kube/config, contexts: [a]}}, {directory: {path: clusters.d}}]
sync: {drift: report, prune: false, pruneLimit: {count: 3}, labelGrace: 0, windows: []}
server: {listen: "[::1]:0"}
stateDir: /var/lib/fleet
tools: {kustomize: bin/kustomize, helm: ~/bin/helm}`)}---
apiVersion: fleetwright.dev/v1alpha1
kind: Cluster
metadata: {name: shanghai-prod, labels: {env: production}}
spec: {kubeconfig: {path: shanghai.kubeconfig, context: admin}}
`;
    const parsed = parseFleetSettings(text, context);
    expect(parsed).to.deep.equal({
      ok: true,
      warnings: [],
      value: {
        name: 'acme',
        source: {
          url: '/etc/repo',
          ref: 'v1',
          path: 'fleets/acme',
          intervalMs: 5_400_000,
          schedule: '*/5 * * * *',
          auth: { username: 'bot', tokenFile: '/home/eva/token' },
        },
        clusters: [
          { kind: 'kubeconfig', path: '/home/eva/.kube/config', contexts: ['a'] },
          { kind: 'directory', path: '/etc/fleet/clusters.d' },
        ],
        inlineClusters: [
          {
            name: 'shanghai-prod',
            labels: { env: 'production' },
            annotations: {},
            connection: { kind: 'kubeconfig', path: '/etc/fleet/shanghai.kubeconfig', context: 'admin' },
          },
        ],
        sync: { drift: 'report', prune: false, pruneLimit: { count: 3, percent: 20, minimum: 5 } },
        labelGraceMs: 0,
        server: { host: '::1', port: 0 },
        stateDir: '/var/lib/fleet',
        tools: { kustomize: '/etc/fleet/bin/kustomize', helm: '/home/eva/bin/helm' },
      },
    });
  });

  it('tells every fault at once, each with its place and the nearest known word', () => {
    const text = fleet(`source: {ref: 5, interval: 30, schedule: never}
sorce: {}
clusters: [{kubeconfig: {}}, {hub: {}}, {}]
sync: {drift: corect, pruneLimit: {count: -1}}
server: {listen: "99999"}`);
    expect(faultsOf(`${text}---\nkind: Clutser\n`)).to.have.members([
      'fleetwright.yaml:5:3: ConfigInvalid: spec.source.url: is required',
      'fleetwright.yaml:5:12: ConfigInvalid: spec.source.ref: must be text, not 5; quote it',
      'fleetwright.yaml:5:20: ConfigInvalid: spec.source.interval: must be a duration such as 30s, 5m or 1h',
      'fleetwright.yaml:5:34: ConfigInvalid: spec.source.schedule: is no cron expression',
      'fleetwright.yaml:6:3: ConfigInvalid: spec: unknown key "sorce" (did you mean "source"?)',
      'fleetwright.yaml:7:15: ConfigInvalid: spec.clusters[0].kubeconfig.path: is required',
      'fleetwright.yaml:7:33: ConfigInvalid: spec.clusters[1].hub: clusters from a hub are not supported yet',
      'fleetwright.yaml:7:43: ConfigInvalid: spec.clusters[2]: must have either kubeconfig or directory',
      'fleetwright.yaml:8:10: ConfigInvalid: spec.sync.drift: "corect" is none of correct, report, ignore (did you mean "correct"?)',
      'fleetwright.yaml:8:38: ConfigInvalid: spec.sync.pruneLimit.count: must be at least 0',
      'fleetwright.yaml:9:12: ConfigInvalid: spec.server.listen: "99999" is no address such as 127.0.0.1:8080',
      'fleetwright.yaml:11:1: ConfigInvalid: kind: "Clutser" is neither Fleet nor Cluster (did you mean "Cluster"?)',
    ]);
  });

  it('wants one fleet, and one cluster of a name', () => {
    const cluster =
      'apiVersion: fleetwright.dev/v1alpha1\nkind: Cluster\nmetadata: {name: a}\nspec: {kubeconfig: {path: a}}\n';
    const source = 'source: {url: /repo}';
    expect(faultsOf('')).to.deep.equal([
      'fleetwright.yaml:1: ConfigInvalid: the file has no document of kind Fleet',
    ]);
    expect(faultsOf(`${fleet(source)}---\n${fleet(source)}`)).to.deep.equal([
      'fleetwright.yaml:8:1: ConfigInvalid: kind: a second document of kind Fleet; a file holds one',
    ]);
    expect(faultsOf(`${fleet(source)}---\n${cluster}---\n${cluster}`)).to.deep.equal([
      'fleetwright.yaml:14:12: ConfigInvalid: metadata.name: a second cluster named "a"',
    ]);
  });

  it('reads how the source is fetched', () => {
    const url = 'git@git.example:fleet.git';
    const text = `source: {url: "${url}", backend: native, maxPackSize: 256Mi, maxFileSize: 2Mi, auth: {privateKeyFile: key, knownHostsFile: ~/hosts}}`;
    const parsed = parseFleetSettings(fleet(text), context);
    expect(parsed.ok && parsed.value.source).to.deep.equal({
      url,
      ref: 'main',
      path: '',
      intervalMs: 30_000,
      backend: 'native',
      ssh: { privateKeyFile: '/etc/fleet/key', knownHostsFile: '/home/eva/hosts' },
      maxPackBytes: 256 * 1024 * 1024,
      maxFileBytes: 2 * 1024 * 1024,
    });
  });

  it('tells apart what is for https:// and what is for ssh', () => {
    const faults = [
      ['{url: "https://g/x", auth: {username: bot}}', 'auth.tokenFile: is required'],
      [
        '{url: "https://g/x", auth: {privateKeyFile: k}}',
        'auth.privateKeyFile: is for ssh:// addresses; others take a tokenFile',
      ],
      [
        '{url: "ssh://g/x", auth: {tokenFile: t}}',
        'auth.tokenFile: is for https:// addresses; ssh takes a privateKeyFile',
      ],
      [
        '{url: "g@g:x", auth: {username: u}}',
        'auth.username: is for https:// addresses; an ssh address names its user: ssh://git@host/path',
      ],
      [
        '{url: /x, backend: natve}',
        'backend: "natve" is none of auto, embedded, native (did you mean "native"?)',
      ],
      ['{url: /x, maxPackSize: 5}', 'maxPackSize: must be text, not 5; quote it'],
      ['{url: /x, maxPackSize: lots}', 'maxPackSize: "lots" is no size such as 8Mi or 1Gi'],
      ['{url: /x, maxFileSize: 1Ki}', 'maxFileSize: must be at least 1Mi'],
    ] as const;
    for (const [source, fault] of faults) {
      const [told, ...more] = faultsOf(fleet(`source: ${source}`));
      expect(told)
        .to.match(/^fleetwright\.yaml:5:\d+: ConfigInvalid: spec\.source\./)
        .and.include(fault);
      expect(more).to.deep.equal([]);
    }
  });

  it('keeps the path of the source inside the repository', () => {
    expect(faultsOf(fleet('source: {url: /repo, path: a/../../b}'))).to.deep.equal([
      'fleetwright.yaml:5:24: ConfigInvalid: spec.source.path: must not leave the repository',
    ]);
  });
});
