//! Files that a program runs or obeys without being told their names.

/// Programs, and the files they look for in the folder they run in or above it.
const IMPLIED: &[(&str, &str)] = &[
    ("ansible-playbook", "ansible.cfg"),
    ("ant", "build.xml"),
    ("bazel", ".bazelrc BUILD BUILD.bazel MODULE.bazel WORKSPACE"),
    ("bun bunx", "bunfig.toml package.json"),
    ("bundle", "Gemfile"),
    ("cargo", ".cargo/config .cargo/config.toml Cargo.toml build.rs"),
    ("cmake ctest", "CMakeLists.txt CMakePresets.json"),
    ("composer", "composer.json"),
    ("deno", "deno.json deno.jsonc"),
    ("direnv", ".envrc"),
    (
        "docker docker-compose nerdctl podman podman-compose",
        "Containerfile Dockerfile compose.yaml compose.yml docker-compose.yaml docker-compose.yml",
    ),
    ("doit", "dodo.py"),
    ("dotenv foreman honcho", ".env Procfile"),
    ("eslint", ".eslintrc.cjs .eslintrc.js eslint.config.cjs eslint.config.js eslint.config.mjs"),
    ("fab", "fabfile.py"),
    ("gradle gradlew", "build.gradle build.gradle.kts init.gradle settings.gradle settings.gradle.kts"),
    ("grunt", "Gruntfile.js"),
    ("gulp", "gulpfile.js gulpfile.mjs"),
    ("hatch pdm pip pip3 pipx poetry rye uv uvx", "pyproject.toml setup.cfg setup.py"),
    ("inv invoke", "tasks.py"),
    ("jake", "Jakefile Jakefile.js"),
    ("jest", "jest.config.js jest.config.ts package.json"),
    ("just", ".justfile Justfile justfile"),
    ("lein", "project.clj"),
    ("make gmake", "GNUmakefile Makefile makefile"),
    ("meson", "meson.build"),
    ("mise", ".mise.toml mise.toml"),
    ("mix", "mix.exs"),
    ("mocha", ".mocharc.cjs .mocharc.js package.json"),
    ("mvn mvnw", "pom.xml"),
    ("ninja", "build.ninja"),
    ("nix nix-shell", "default.nix flake.nix shell.nix"),
    ("nox", "noxfile.py"),
    ("npm npx pnpm pnpx yarn", ".npmrc .yarnrc .yarnrc.yml package.json"),
    ("nx turbo lerna", "lerna.json nx.json package.json turbo.json"),
    ("pre-commit", ".pre-commit-config.yaml"),
    ("pytest tox", "conftest.py pyproject.toml pytest.ini setup.cfg tox.ini"),
    ("rake", "Rakefile Rakefile.rb rakefile"),
    ("sbt", "build.sbt"),
    ("scons", "SConstruct"),
    ("task go-task", "Taskfile.yaml Taskfile.yml"),
    ("vagrant", "Vagrantfile"),
    ("vite vitest", "vite.config.js vite.config.ts vitest.config.ts"),
    ("webpack", "webpack.config.js"),
];

/// The names that a program of this name looks for.
pub(super) fn implied(program: &str) -> impl Iterator<Item = &'static str> {
    let rows = IMPLIED.iter().filter(move |(programs, _)| programs.split(' ').any(|name| name == program));
    rows.flat_map(|(_, files)| files.split(' '))
}
