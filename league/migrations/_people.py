"""Accounts, clubs, players (for 0001_tables)."""

from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Lower
from django.utils import timezone

from league.models.people import PersonManager

tables = [
    migrations.CreateModel(
        name="User",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("password", models.CharField(max_length=128, verbose_name="password")),
            ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
            (
                "is_superuser",
                models.BooleanField(
                    default=False,
                    help_text="Designates that this user has all permissions without explicitly assigning them.",
                    verbose_name="superuser status",
                ),
            ),
            ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
            ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
            (
                "is_staff",
                models.BooleanField(
                    default=False,
                    help_text="Designates whether the user can log into this admin site.",
                    verbose_name="staff status",
                ),
            ),
            (
                "is_active",
                models.BooleanField(
                    default=True,
                    help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                    verbose_name="active",
                ),
            ),
            ("date_joined", models.DateTimeField(default=timezone.now, verbose_name="date joined")),
            ("email", models.EmailField(max_length=254, unique=True, verbose_name="email address")),
            (
                "groups",
                models.ManyToManyField(
                    blank=True,
                    help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                    related_name="user_set",
                    related_query_name="user",
                    to="auth.group",
                    verbose_name="groups",
                ),
            ),
            (
                "user_permissions",
                models.ManyToManyField(
                    blank=True,
                    help_text="Specific permissions for this user.",
                    related_name="user_set",
                    related_query_name="user",
                    to="auth.permission",
                    verbose_name="user permissions",
                ),
            ),
        ],
        options={
            "verbose_name": "user",
            "verbose_name_plural": "users",
            "abstract": False,
        },
        managers=[
            ("objects", PersonManager()),
        ],
    ),
    migrations.CreateModel(
        name="Club",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("slug", models.SlugField(max_length=60, unique=True, verbose_name="short name")),
            ("name", models.CharField(max_length=120, verbose_name="name")),
            ("place", models.CharField(blank=True, max_length=120, verbose_name="where it plays")),
            ("currency", models.CharField(default="CHF", max_length=3, verbose_name="currency")),
            (
                "visibility",
                models.CharField(
                    choices=[
                        ("listed", "public: anybody finds and reads it"),
                        ("unlisted", "by its address: whoever knows it may read, no list shows it"),
                        ("private", "private: members only"),
                    ],
                    default="listed",
                    max_length=10,
                    verbose_name="who may see it",
                ),
            ),
            (
                "publishes_money",
                models.BooleanField(
                    default=False,
                    help_text="Public pages show money. Without it they show points and counts, never money.",
                    verbose_name="publishes amounts",
                ),
            ),
            (
                "faces",
                models.CharField(
                    choices=[("french", "French cards"), ("swiss", "Swiss-German cards"), ("german", "German cards")],
                    default="french",
                    max_length=10,
                    verbose_name="cards",
                ),
            ),
            (
                "correction_hours",
                models.PositiveSmallIntegerField(
                    default=48,
                    help_text="So long after its end an evening is provisional; then it is final.",
                    verbose_name="hours for corrections",
                ),
            ),
            (
                "forget_after_months",
                models.PositiveSmallIntegerField(
                    blank=True,
                    help_text="Whoever has left the roster and has not played for so long loses the name. Empty: never by itself.",
                    null=True,
                    verbose_name="months until players are forgotten",
                ),
            ),
            (
                "counts_tricks",
                models.BooleanField(
                    default=False,
                    help_text="A hand of Chratze is entered with everybody's tricks, not only with who made it.",
                    verbose_name="counts tricks",
                ),
            ),
            (
                "settling",
                models.CharField(
                    choices=[("hands", "in coins after each hand"), ("end", "at the end of the evening")],
                    default="end",
                    max_length=10,
                    verbose_name="settles up",
                ),
            ),
            (
                "publishes_rules",
                models.BooleanField(
                    default=False,
                    help_text="Visitors read the house rules, with antes in place of amounts unless amounts are public.",
                    verbose_name="publishes the house rules",
                ),
            ),
            ("names_mark", models.PositiveIntegerField(default=0, editable=False)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "club",
            "verbose_name_plural": "clubs",
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(("faces__in", ["french", "swiss", "german"])), name="club_faces_known"
                ),
                models.CheckConstraint(
                    condition=models.Q(("visibility__in", ["listed", "unlisted", "private"])),
                    name="club_visibility_known",
                ),
                models.CheckConstraint(
                    condition=models.Q(("settling__in", ["hands", "end"])), name="club_settling_known"
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Membership",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("club", models.ForeignKey(on_delete=models.CASCADE, related_name="memberships", to="league.club")),
            (
                "user",
                models.ForeignKey(on_delete=models.CASCADE, related_name="memberships", to=settings.AUTH_USER_MODEL),
            ),
            (
                "role",
                models.CharField(
                    choices=[
                        ("owner", "owner"),
                        ("treasurer", "treasurer"),
                        ("recorder", "recorder"),
                        ("member", "member"),
                    ],
                    default="member",
                    max_length=10,
                    verbose_name="role",
                ),
            ),
        ],
        options={
            "verbose_name": "membership",
            "verbose_name_plural": "memberships",
            "constraints": [
                models.UniqueConstraint(fields=("club", "user"), name="membership_once"),
                models.CheckConstraint(
                    condition=models.Q(("role__in", ["owner", "treasurer", "recorder", "member"])),
                    name="membership_role_known",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Player",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("club", models.ForeignKey(on_delete=models.CASCADE, related_name="players", to="league.club")),
            ("nickname", models.CharField(max_length=40, verbose_name="nickname")),
            (
                "user",
                models.ForeignKey(
                    blank=True,
                    null=True,
                    on_delete=models.SET_NULL,
                    related_name="players",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
            ("guest", models.BooleanField(default=False, verbose_name="guest")),
            ("active", models.BooleanField(default=True, verbose_name="in the roster")),
            (
                "publicity",
                models.CharField(
                    choices=[("initials", "initials"), ("nickname", "nickname"), ("pseudonym", "another name")],
                    default="initials",
                    max_length=10,
                    verbose_name="shown in public as",
                ),
            ),
            ("pseudonym", models.CharField(blank=True, max_length=40, verbose_name="other name")),
            (
                "main",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.PROTECT, related_name="others", to="league.player"
                ),
            ),
            ("anonymised_at", models.DateTimeField(blank=True, null=True, verbose_name="forgotten")),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "player",
            "verbose_name_plural": "players",
            "ordering": ["nickname"],
            "constraints": [
                models.UniqueConstraint(models.F("club"), Lower("nickname"), name="player_nickname_once_a_club"),
                models.UniqueConstraint(
                    models.F("club"),
                    Lower("pseudonym"),
                    condition=models.Q(("pseudonym", ""), _negated=True),
                    name="player_pseudonym_once_a_club",
                ),
                models.CheckConstraint(
                    condition=models.Q(("nickname", ""), _negated=True), name="player_has_a_nickname"
                ),
                models.CheckConstraint(
                    condition=models.Q(
                        ("publicity__in", ["initials", "nickname"]),
                        models.Q(("publicity", "pseudonym"), models.Q(("pseudonym", ""), _negated=True)),
                        _connector="OR",
                    ),
                    name="player_publicity_known",
                ),
                models.CheckConstraint(
                    condition=models.Q(
                        ("main__isnull", True), models.Q(("main", models.F("id")), _negated=True), _connector="OR"
                    ),
                    name="player_not_its_own_main",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="FormerName",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("player", models.ForeignKey(on_delete=models.CASCADE, related_name="former_names", to="league.player")),
            ("name", models.CharField(max_length=40, verbose_name="name")),
        ],
        options={
            "verbose_name": "former name",
            "verbose_name_plural": "former names",
            "constraints": [models.UniqueConstraint(fields=("player", "name"), name="former_name_once_a_player")],
        },
    ),
]
